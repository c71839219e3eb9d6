import type { Answers, EntryStatus, UnsubscribeReason } from "#app/server/db/schema/entries.server.ts";
import type { WebhookEvent } from "#app/server/db/schema/webhooks.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { statusOf } from "#app/waitlist/confirmation/confirmation.ts";
import { askedQuestions } from "#app/waitlist/questions/questions.server.ts";

/** What is read of an entry when an event about it is sent. */
export interface EventEntry {
  source: string;
  status: EntryStatus;
  isSuppressed: boolean;
  joined_at: EpochMillis;
  confirm_by: EpochMillis | null;
  confirmed_at: EpochMillis | null;
  unsubscribe_reason: UnsubscribeReason | null;
  /** Both null for an endpoint without personal data. */
  email: string | null;
  answers: Answers | null;
}

export type EventLetter = Record<
  "expected" | "sent" | "skipped" | "failed" | "unknown" | "bounced" | "bounced_softly" | "complained" | "unsubscribed",
  number
>;

/** What is stored of an event: what happened, and to which entry or letter. */
export interface EventData {
  event: WebhookEvent;
  entry_id?: number | null;
  friends?: number;
  letter_id?: number;
}

/** An event with what is known of its subject now. */
export interface EventContent {
  data: EventData;
  /** When it happened. */
  created_at: EpochMillis;
  /** Null once it has been erased. */
  entry: EventEntry | null;
  letter: EventLetter | null;
}

/** The body of the request: JSON with the type, the time and the data of an event; for a test with `test` too. */
export function eventBody({ data, created_at, entry, letter }: EventContent, more: { test?: true } = {}): string {
  const { event: type, entry_id, ...numbers } = data;
  const body = {
    type,
    timestamp: toIso(created_at),
    ...more,
    data: {
      ...(entry_id == null ? {} : { entry_id }),
      ...numbers,
      ...(entry === null ? {} : entryData(entry)),
      ...letter,
    },
  };
  return JSON.stringify(body);
}

export function testBody(
  event: WebhookEvent,
  { has_personal_data }: { has_personal_data: boolean },
  now: EpochMillis,
): string {
  const isLetter = event === "letter.finished";
  const answers = askedQuestions().map(({ key, answers }) => [
    key,
    answers === undefined ? "Example" : Object.keys(answers)[0],
  ]);
  const entry: EventEntry = {
    source: "landing_page",
    status: event === "entry.unsubscribed" ? "unsubscribed" : "active",
    isSuppressed: false,
    joined_at: now - 60_000,
    confirm_by: null,
    confirmed_at: event === "entry.confirmed" ? now : null,
    unsubscribe_reason: event === "entry.unsubscribed" ? "own-choice" : null,
    ...(has_personal_data
      ? { email: "jo@example.com", answers: Object.fromEntries(answers) }
      : { email: null, answers: null }),
  };
  const letter = {
    expected: 5,
    sent: 3,
    skipped: 1,
    failed: 1,
    unknown: 0,
    bounced: 1,
    bounced_softly: 0,
    complained: 0,
    unsubscribed: 1,
  };
  const data: EventData = isLetter
    ? { event, letter_id: 0 }
    : { event, entry_id: 0, ...(event === "milestone.reached" ? { friends: 3 } : {}) };
  const hasEntry = !isLetter && event !== "entry.erased";
  const content = { data, created_at: now, entry: hasEntry ? entry : null, letter: isLetter ? letter : null };
  return eventBody(content, { test: true });
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

function toIso(time: EpochMillis): string {
  return new Date(time).toISOString();
}
