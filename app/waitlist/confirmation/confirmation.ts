import type { EntryStatus } from "#app/server/db/schema/entries.server.ts";

/** Whether an entry's address is confirmed; `not-asked` if it joined while `CONFIRM_ADDRESSES` was off. */
export type Confirmation = "not-asked" | "unconfirmed" | "confirmed";

/**
 * What an owner reads of an entry's status. Of those that are `active` in the database, `unconfirmed` are those who have
 * yet to confirm, `suppressed` all others whose address gets no email, and `active` only those who can get email.
 */
export type ShownStatus = EntryStatus | "unconfirmed" | "suppressed";

export const statuses: Record<ShownStatus, string> = {
  active: "Active",
  unconfirmed: "Unconfirmed",
  suppressed: "Suppressed",
  unsubscribed: "Unsubscribed",
};

const DAY = 24 * 3_600_000;

/** How long a new subscriber has to confirm their address, before their entry is erased (days). */
export const CONFIRM_DAYS = 30;

/** The same in milliseconds. */
export const CONFIRM_PERIOD = CONFIRM_DAYS * DAY;

/** Time from the confirmation email to the reminder (milliseconds). */
export const REMIND_AFTER = 3 * DAY;

export const confirmations: Record<Confirmation, string> = {
  "not-asked": "Not asked",
  unconfirmed: "Not confirmed yet",
  confirmed: "Confirmed",
};

interface ConfirmationTimes {
  confirm_by: number | null;
  confirmed_at: number | null;
}

export function confirmationOf({ confirm_by, confirmed_at }: ConfirmationTimes): Confirmation {
  if (confirmed_at !== null) return "confirmed";
  return confirm_by === null ? "not-asked" : "unconfirmed";
}

interface StatusColumns extends ConfirmationTimes {
  status: EntryStatus;
  /** Whether its address gets no email; omitted where that does not matter. */
  isSuppressed?: boolean;
}

export function statusOf({ status, isSuppressed = false, ...times }: StatusColumns): ShownStatus {
  if (status === "unsubscribed") return status;
  if (confirmationOf(times) === "unconfirmed") return "unconfirmed";
  return isSuppressed ? "suppressed" : status;
}
