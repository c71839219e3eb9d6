import { CODE_PERIOD, type Device, stateOf } from "#app/features/fair/arm.server.ts";
import { MAX_SIGN_UPS } from "#app/features/fair/inbox.server.ts";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import type { ReviewReason } from "#app/server/db/schema/fair.server.ts";

export const heldReasons: Record<ReviewReason, string> = {
  expired: "Arrived after the tablet had expired",
  revoked: "The tablet was revoked first",
  limit: `Over the limit of ${formatNumber(MAX_SIGN_UPS)} from one tablet`,
  mailbox: "For days, its mailbox has had as many emails as it may",
  launched: "The site has launched",
  unreadable: "Cannot be read",
  address: "The address is not valid",
  disposable: "A throwaway address, which this site refuses",
};

/** `In use until 28 November, 18:00` */
export function stateText(device: Device, now: number, timeZone: string): string {
  const state = stateOf(device, now);
  if (state !== "open") return { expired: "Expired", revoked: "Revoked", closed: "Closed" }[state];
  if (device.armed_at !== null) return `In use until ${shortTime(device.expires_at, timeZone)}`;
  const codeEnd = device.created_at + CODE_PERIOD;
  if (codeEnd <= now) return "Code not scanned in time";
  return `Code works until ${formatClock(codeEnd, timeZone)}`;
}

/** `28 November, 18:00` */
function shortTime(time: number, timeZone: string): string {
  const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone }).format(time);
  return `${day}, ${formatClock(time, timeZone)}`;
}

/** `15:04` */
export function formatClock(time: number, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone }).format(time);
}

/** What is lost when a device is closed, in sentences. @param held how many wait for the owner's decision */
export function lossText(device: Device, held: number, timeZone: string): string {
  const texts = [tabletText(device, timeZone)];
  if (held > 0)
    texts.push(`${counted(held, "sign-up that waits", "sign-ups that wait")} for your decision will be deleted.`);
  return [...texts, "This cannot be undone."].join(" ");
}

function tabletText({ key_hash, waiting, last_seen_at: seen, form_closed_at }: Device, timeZone: string): string {
  if (key_hash === null || seen === null) return "No tablet has used the code, so no sign-ups will be lost.";
  if (waiting > 0) {
    const left = counted(waiting, "sign-up was", "sign-ups were");
    return `At its last contact, on ${formatTime(seen, timeZone)}, ${left} still on the tablet. Any still there will be lost, because no one will be able to read them.`;
  }
  if (form_closed_at === null) {
    return `The tablet was last seen on ${formatTime(seen, timeZone)}, when its form was still open. Any sign-ups still on it will be lost, because no one will be able to read them.`;
  }
  return "The tablet has sent everything that it had.";
}
