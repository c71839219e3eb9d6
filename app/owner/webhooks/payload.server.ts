import type { Answers, EntryStatus, UnsubscribeReason } from "#app/server/db/schema/entries.server.ts";
import type { WebhookEvent } from "#app/server/db/schema/webhooks.server.ts";
import { statusOf } from "#app/waitlist/confirmation.ts";

/** What is read of an entry when an event about it is sent. Times are milliseconds since 1970. */
export interface EventEntry {
  source: string;
  status: EntryStatus;
  isSuppressed: boolean;
  joined_at: number;
  confirm_by: number | null;
  confirmed_at: number | null;
  unsubscribe_reason: UnsubscribeReason | null;
  /** Both null for an endpoint without personal data. */
  email: string | null;
  answers: Answers | null;
}

/** How many people a letter was for, and what became of it. */
export type EventLetter = Record<
  "expected" | "sent" | "skipped" | "failed" | "unknown" | "bounced" | "bounced_softly" | "complained" | "unsubscribed",
  number
>;

/** An event with what is known of its subject now. */
export interface EventContent {
  event: WebhookEvent;
  /** When it happened (milliseconds since 1970). */
  createdAt: number;
  entryId: number | null;
  data: Record<string, number> | null;
  /** Null once it has been erased. */
  entry: EventEntry | null;
  letter: EventLetter | null;
}

/** The body of the request: JSON with the type, the time and the data of an event. */
export function eventBody({ event, createdAt, entryId, data, entry, letter }: EventContent): string {
  const body = {
    type: event,
    timestamp: toIso(createdAt),
    data: {
      ...(entryId === null ? {} : { entry_id: entryId }),
      ...data,
      ...(entry === null ? {} : entryData(entry)),
      ...letter,
    },
  };
  return JSON.stringify(body);
}

function entryData(entry: EventEntry) {
  const { source, joined_at, confirmed_at, unsubscribe_reason, email, answers } = entry;
  return {
    source,
    status: statusOf(entry),
    joined_at: toIso(joined_at),
    confirmed_at: confirmed_at === null ? null : toIso(confirmed_at),
    ...(entry.status === "unsubscribed" && unsubscribe_reason !== null ? { unsubscribe_reason } : {}),
    ...(email === null ? {} : { email, answers: answers ?? {} }),
  };
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}
