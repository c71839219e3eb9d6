import type { Entry } from "#app/waitlist/entries.server.ts";

const DAY = 24 * 3_600_000;

/** How long a new subscriber has to confirm their address, before their entry is erased (days). */
export const CONFIRM_DAYS = 30;

/** The same in milliseconds. */
export const CONFIRM_PERIOD = CONFIRM_DAYS * DAY;

/** Time from the confirmation email to the reminder (milliseconds). */
export const REMIND_AFTER = 3 * DAY;

/** Whether an entry's address is confirmed; `not-asked` if it joined while `CONFIRM_ADDRESSES` was off. */
export type Confirmation = "not-asked" | "unconfirmed" | "confirmed";

export const confirmations: Record<Confirmation, string> = {
  "not-asked": "Not asked",
  unconfirmed: "Not confirmed yet",
  confirmed: "Confirmed",
};

export function confirmationOf({ confirm_by, confirmed_at }: Pick<Entry, "confirm_by" | "confirmed_at">): Confirmation {
  if (confirmed_at !== null) return "confirmed";
  return confirm_by === null ? "not-asked" : "unconfirmed";
}
