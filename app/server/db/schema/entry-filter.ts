import type { EmailReason } from "#app/server/db/email-reasons.ts";
import type { EntryStatus } from "#app/server/db/schema/entries.server.ts";

/** Whether an entry's address is confirmed; `not-asked` if it joined while `CONFIRM_ADDRESSES` was off. */
export type Confirmation = "not-asked" | "unconfirmed" | "confirmed";

/**
 * What an owner reads of an entry's status. Of those that are `active` in the database, `unconfirmed` are those who have
 * yet to confirm, `suppressed` all others whose address gets no email, and `active` only those who can get email.
 */
export type ShownStatus = EntryStatus | "unconfirmed" | "suppressed";

export interface EmailFilter {
  /** `unknown`: the provider never confirmed it. `dead` without a reason leaves those out. */
  state: "sent" | "waiting" | "dead" | "unknown";
  /** Why the email is in this state; null before the first attempt, undefined for any reason. */
  reason?: EmailReason | null;
}

/** Which entries a list, an export or a letter has; stored with letters. A missing field does not filter. */
export interface EntryFilter {
  status?: ShownStatus | undefined;
  confirmation?: Confirmation | undefined;
  /** By question: an answer, several of which one is enough, part of a text, or null for entries without one. */
  answers?: Record<string, string | string[] | null> | undefined;
  source?: string | undefined;
  /** Entries that an import added, with any source; or all others. */
  imported?: boolean | undefined;
  /** Entries that were sent a letter that is an invitation, or were not. */
  invited?: boolean | undefined;
  /** Entries of people who have brought at least so many friends who count. */
  friends?: number | undefined;
  milestone?: boolean | undefined;
  /** An exact value; null for entries without one. */
  utm_source?: string | null | undefined;
  utm_campaign?: string | null | undefined;
  referrer_host?: string | null | undefined;
  email?: EmailFilter | undefined;
  disposable?: boolean | undefined;
  /** The first and the last day on which entries joined (`YYYY-MM-DD`), in the owner's time zone. */
  from?: string | undefined;
  until?: string | undefined;
  /** The first minute of the first day, and the last one of the last day (`HH:MM`). Absent: the whole day. */
  from_time?: string | undefined;
  until_time?: string | undefined;
}
