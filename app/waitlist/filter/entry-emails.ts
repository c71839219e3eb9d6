import type { EntryEmailKind } from "#app/server/db/schema/email.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { referrals, series } from "#app/switches.ts";
import type { Entry } from "#app/waitlist/entries/entries.server.ts";
import type { EntryLetter, OutboxEmail } from "#app/waitlist/filter/list-entries.server.ts";

/** Kinds of emails that the site sends, besides those of letters. @public for the API, which can be removed */
export const singleEmailKinds: readonly EntryEmailKind[] = [
  "welcome",
  "rejoin",
  "confirm",
  "confirm-reminder",
  "my-data-link",
  ...(referrals ? (["milestone"] as const) : []),
];

/** `repeated-letter`: a letter that an owner sent to one person again, as a single email. */
export const letterKinds = ["letter", ...(series ? (["follow-up"] as const) : []), "repeated-letter"] as const;

/** `unknown`: the provider never confirmed it. `skipped`: letters only. */
export const entryEmailStates = ["sent", "waiting", "failed", "unknown", "skipped"] as const;

/** An email to a person, or their copy of a letter, as the page of their entry and the API show it. */
export interface EntryEmail {
  /** Names it among those of the entry. */
  key: string;
  kind: EntryEmailKind | (typeof letterKinds)[number];
  state: (typeof entryEmailStates)[number];
  /** A code of `email-reasons.ts`; of a letter or follow-up, one of `recipient-reasons.ts`. */
  reason: string | null;
  /** Null if it is not known, as of letters. */
  queued_at: EpochMillis | null;
  /** When it came to its state; null while it waits. */
  done_at: EpochMillis | null;
  /** Of a single email that waits. */
  next_attempt_at: EpochMillis | null;
  /** After it was sent. A single email that bounces permanently is `failed`. */
  bounced_at: EpochMillis | null;
  bounced_softly: boolean;
  complained_at: EpochMillis | null;
  unsubscribed_at: EpochMillis | null;
  letter_id: number | null;
  letter: Pick<EntryLetter, "id" | "subject" | "stepId"> | null;
}

/** All emails to a person that are still known, then the letters, each oldest first. */
export function entryEmails({
  entry: { welcomed_at },
  emails,
  letters,
}: {
  entry: Pick<Entry, "welcomed_at">;
  emails: readonly OutboxEmail[];
  letters: readonly EntryLetter[];
}): EntryEmail[] {
  const welcome: EntryEmail = { ...unsent, key: "welcomed", kind: "welcome", state: "sent", done_at: welcomed_at };
  return [
    ...(welcomed_at === null ? [] : [welcome]),
    ...emails.map((email) => singleEmail(email, letters)),
    ...letters.map(letterCopy),
  ];
}

const unsent = {
  reason: null,
  queued_at: null,
  done_at: null,
  next_attempt_at: null,
  bounced_at: null,
  bounced_softly: false,
  complained_at: null,
  unsubscribed_at: null,
  letter_id: null,
  letter: null,
};

function singleEmail(email: OutboxEmail, letters: readonly EntryLetter[]): EntryEmail {
  const { id: key, kind, reason, done_at, dead_at, soft_bounced_at } = email;
  const { letter: letterId = null } = ((kind === "letter" && email.data) || {}) as { letter?: number };
  const known = {
    ...unsent,
    key,
    kind: kind === "letter" ? ("repeated-letter" as const) : kind,
    queued_at: email.created_at,
    letter_id: letterId,
    letter: letters.find(({ id }) => id === letterId) ?? null,
  };
  if (done_at !== null) {
    const bounced = { bounced_at: soft_bounced_at, bounced_softly: soft_bounced_at !== null };
    return { ...known, ...bounced, state: "sent", done_at };
  }
  if (dead_at === null) return { ...known, state: "waiting", reason, next_attempt_at: email.next_attempt_at };
  return { ...known, state: reason === "outcome-unknown" ? "unknown" : "failed", reason, done_at: dead_at };
}

function letterCopy({ id, subject, stepId, letterState, state, reason, ...copy }: EntryLetter): EntryEmail {
  const isStopped = state === "pending" && letterState === "stopped";
  return {
    ...unsent,
    ...copy,
    key: `letter ${id}`,
    kind: stepId === null ? "letter" : "follow-up",
    state: isStopped ? "skipped" : state === "pending" ? "waiting" : state,
    reason: isStopped ? "stopped" : reason,
    letter_id: id,
    letter: { id, subject, stepId },
  };
}
