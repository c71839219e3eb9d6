import type * as v from "valibot";
import type { ApiKey } from "#app/features/api/keys/keys.server.ts";
import { toTime } from "#app/features/api/v1/schemas/common.server.ts";
import type { entrySchema, writtenEntrySchema } from "#app/features/api/v1/schemas/entries.server.ts";
import { statusOf } from "#app/waitlist/confirmation/confirmation.ts";
import type { ListedEntry } from "#app/waitlist/entries/entries-page.server.ts";

export function toEntryResponse(entry: ListedEntry): v.InferOutput<typeof entrySchema> {
  return {
    id: entry.id,
    email: entry.email,
    status: statusOf(entry),
    source: entry.source,
    joined_at: toTime(entry.created_at),
    confirmed_at: toTime(entry.confirmed_at),
    unsubscribed_at: toTime(entry.unsubscribed_at),
    unsubscribe_reason: entry.unsubscribe_reason,
    consent: { at: toTime(entry.consent_at), version: entry.consent_version, note: entry.consent_note },
    answers: entry.answers ?? {},
    note: entry.owner_note,
    utm_source: entry.utm_source,
    utm_medium: entry.utm_medium,
    utm_campaign: entry.utm_campaign,
    utm_term: entry.utm_term,
    utm_content: entry.utm_content,
    referrer_host: entry.referrer_host,
    imported: entry.import_id !== null,
    invited_at: toTime(entry.invited_at),
    disposable: entry.disposable,
  };
}

export function toWrittenResponse(entry: ListedEntry, key: ApiKey | null): v.InferOutput<typeof writtenEntrySchema> {
  if (key?.scopes.includes("entries:read")) return toEntryResponse(entry);
  return { id: entry.id, status: statusOf(entry) };
}
