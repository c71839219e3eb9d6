import type { Db } from "#app/server/db/client.server.ts";
import { logInfo } from "#app/server/log.ts";
import {
  type Entry,
  eraseEntry,
  findEntry,
  listEntryEmails,
  rejoinEntry,
  unsubscribeEntry,
} from "#app/waitlist/entries.server.ts";
import { shownColumns } from "#app/waitlist/entry-fields.server.ts";
import { maskEmail } from "#app/waitlist/my-data/mask.ts";
import type { EntryView } from "#app/waitlist/my-data/my-data.tsx";
import { verifyEntryToken } from "#app/waitlist/my-data/token.server.ts";

export interface OwnEntryDeps {
  db: Db;
  /** The current secret, then the previous one. */
  linkSecrets: string[];
  /** Signs tokens that only unsubscribe. */
  hashKey: string;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** The entry of a token: the token is invalid, the entry was erased, or it exists. */
export type OwnEntry = { kind: "bad-link" } | { kind: "gone" } | { kind: "found"; entry: Entry };

export const intents = ["unsubscribe", "rejoin", "erase"] as const;

export type Intent = (typeof intents)[number];

/** `changed` is false if the entry already had the requested state. */
export type ChangeOutcome = { kind: "bad-link" } | { kind: "done"; changed: boolean };

/** Reads a token's entry. Changes nothing. */
export async function readOwnEntry(
  { db, linkSecrets }: Pick<OwnEntryDeps, "db" | "linkSecrets">,
  token: string,
): Promise<OwnEntry> {
  const id = await verifyEntryToken("your-data:v1", token, linkSecrets);
  if (id === null) return { kind: "bad-link" };
  const entry = await findEntry(db, id);
  return entry === null ? { kind: "gone" } : { kind: "found", entry };
}

/** The part of an entry that its page shows. */
export function toEntryView(own: OwnEntry): EntryView {
  return own.kind === "found" ? { kind: own.entry.status, masked: maskEmail(own.entry.email) } : { kind: own.kind };
}

/** Changes a token's entry. Idempotent. */
export async function changeOwnEntry(deps: OwnEntryDeps, token: string, intent: Intent): Promise<ChangeOutcome> {
  const id = await verifyEntryToken("your-data:v1", token, deps.linkSecrets);
  if (id === null) return { kind: "bad-link" };
  const changed = await change(deps, id, intent);
  logInfo("entry-changed-by-subscriber", { entryId: id, intent, changed });
  return { kind: "done", changed };
}

/** The entry of a token that only unsubscribes. Changes nothing. */
export async function readUnsubscribeEntry({ db, hashKey }: OwnEntryDeps, token: string): Promise<OwnEntry> {
  const id = await verifyEntryToken("unsubscribe:v1", token, [hashKey]);
  if (id === null) return { kind: "bad-link" };
  const entry = await findEntry(db, id);
  return entry === null ? { kind: "gone" } : { kind: "found", entry };
}

/** Unsubscribes the entry of a token that can do nothing else. Idempotent. */
export async function unsubscribeByToken(deps: OwnEntryDeps, token: string): Promise<ChangeOutcome> {
  const id = await verifyEntryToken("unsubscribe:v1", token, [deps.hashKey]);
  if (id === null) return { kind: "bad-link" };
  const changed = await unsubscribeEntry(deps.db, id, deps.now());
  logInfo("entry-changed-by-subscriber", { entryId: id, intent: "unsubscribe", changed });
  return { kind: "done", changed };
}

/** All data stored about an entry, for its data subject (GDPR, articles 15 and 20); null without an entry. */
export async function exportOwnEntry(deps: OwnEntryDeps, token: string): Promise<object | null> {
  const own = await readOwnEntry(deps, token);
  if (own.kind !== "found") return null;
  const { created_at, unsubscribed_at, consent_at, confirm_by, confirmed_at, reminded_at, ...entry } = shownColumns(
    own.entry,
  );
  const emails = await listEntryEmails(deps.db, own.entry.id);
  return {
    ...entry,
    created_at: isoTime(created_at),
    unsubscribed_at: isoTime(unsubscribed_at),
    consent_at: isoTime(consent_at),
    confirm_by: isoTime(confirm_by),
    confirmed_at: isoTime(confirmed_at),
    reminded_at: isoTime(reminded_at),
    emails: emails.map(({ kind, created_at, sent_at }) => ({
      kind,
      queued_at: isoTime(created_at),
      sent_at: isoTime(sent_at),
    })),
  };
}

function change({ db, now }: OwnEntryDeps, id: number, intent: Intent): Promise<boolean> {
  switch (intent) {
    case "unsubscribe":
      return unsubscribeEntry(db, id, now());
    case "rejoin":
      return rejoinEntry(db, id, now());
    case "erase":
      return eraseEntry(db, id, now());
  }
}

function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
