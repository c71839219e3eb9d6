import type { Confirmation, ShownStatus } from "#app/server/db/schema/entry-filter.ts";
import type { Millis } from "#app/server/time/units.ts";
import type { Entry } from "#app/waitlist/entries/entries.server.ts";

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
