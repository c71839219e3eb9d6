import type { EntryStatus } from "#app/server/db/schema/entries.server.ts";
import type { Millis } from "#app/server/time/units.ts";
import type { Entry } from "#app/waitlist/entries/entries.server.ts";

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

const DAY: Millis = 24 * 3_600_000;

/** How long a new subscriber has to confirm their address, before their entry is erased (days). */
export const CONFIRM_DAYS = 30;

export const CONFIRM_PERIOD: Millis = CONFIRM_DAYS * DAY;

/** Time from the confirmation email to the reminder. */
export const REMIND_AFTER: Millis = 3 * DAY;

export const confirmations: Record<Confirmation, string> = {
  "not-asked": "Not asked",
  unconfirmed: "Not confirmed yet",
  confirmed: "Confirmed",
};

export function confirmationOf({ confirm_by, confirmed_at }: Pick<Entry, "confirm_by" | "confirmed_at">): Confirmation {
  if (confirmed_at !== null) return "confirmed";
  return confirm_by === null ? "not-asked" : "unconfirmed";
}

/** `isSuppressed`: whether its address gets no email; omitted where that does not matter. */
export function statusOf({
  status,
  isSuppressed = false,
  ...times
}: Pick<Entry, "status" | "confirm_by" | "confirmed_at"> & { isSuppressed?: boolean }): ShownStatus {
  if (status === "unsubscribed") return status;
  if (confirmationOf(times) === "unconfirmed") return "unconfirmed";
  return isSuppressed ? "suppressed" : status;
}
