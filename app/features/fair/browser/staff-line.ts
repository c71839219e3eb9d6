import type { Arming } from "#app/features/fair/browser/arm.ts";
import { correctedNow, lastContact } from "#app/features/fair/browser/clock.ts";
import type { ArmedDevice, StoredDevice } from "#app/features/fair/browser/devices.ts";
import { isOfflineReady } from "#app/features/fair/browser/registration.ts";
import { countRefusedSignUps, countSignUps } from "#app/features/fair/browser/sign-ups.ts";
import type { StorageRoom } from "#app/features/fair/browser/storage-room.ts";
import { element, setText } from "#app/features/fair/browser/views.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

/* What the people at the stall read at the foot of the page. Being offline is normal, so nothing warns of it. */

/** "12 waiting, last sent 14:05", and warnings about the device. */
export async function showBacklog(device: ArmedDevice | undefined): Promise<void> {
  const [waiting, { sentAt, at, offset }] = await Promise.all([countSignUps(), lastContact()]);
  const last = sentAt === null ? null : timeOf(sentAt, offset);
  if (waiting > 0) setText("backlog", `${waiting} waiting, ${last === null ? "none sent yet" : `last sent ${last}`}`);
  else setText("backlog", at === 0 || device?.lost ? "" : last === null ? "Ready" : `All sent, last at ${last}`);
  const refused = await countRefusedSignUps();
  setText("refused-warning", refused === 0 ? "" : `${refused} cannot be sent. Keep this tablet and tell the owner.`);
  const isReady = device === undefined || isOfflineReady();
  setText("offline-warning", isReady ? "" : "Not ready for offline use yet. Keep this tablet online.");
  setText("device-warning", device === undefined ? "" : await deviceWarning(device, waiting));
}

/** Says what came of a code, in the view that waits for one or else at the foot. */
export function showArming(isArmed: boolean, arming: Arming, devices: readonly StoredDevice[]): void {
  const problem = arming.kind === "refused" ? arming.detail : "";
  const isWaiting = devices.some(({ armed }) => armed === null);
  setText("set-up-problem", problem);
  element("set-up-waiting").hidden = !isWaiting;
  const warning = isWaiting ? "The new code needs a connection." : problem;
  setText("arming-warning", isArmed ? warning : "");
}

export function showStorage({ isPersistent, isNearlyFull }: StorageRoom): void {
  setText("full-warning", isNearlyFull ? "Storage is nearly full. Free up some space on this tablet now." : "");
  const warning = "If space runs out, this browser may delete sign-ups that have not been sent.";
  setText("persistence-warning", isPersistent || isNearlyFull ? "" : warning);
}

/** When the browser refuses to store anything at all, as some do in private windows. */
export function showNoStorage(): void {
  setText("full-warning", "This browser cannot store anything, so nobody can sign up. Is this a private window?");
}

async function deviceWarning({ state, armed, lost = 0 }: ArmedDevice, waiting: number): Promise<string> {
  const advice = waiting === 0 ? "" : " Keep this tablet online until everything is sent.";
  if (state === "unknown") return "This tablet is not set up any more. Scan a new QR code from the owner’s page.";
  if (state === "revoked") return `The owner has switched this tablet off.${advice}`;
  if (state === "closed") {
    const loss = lost === 0 ? "" : ` ${lost} could not be sent and cannot be recovered.`;
    return `The owner has closed this tablet.${loss} Scan a new QR code to use it again.`;
  }
  if (state === "launched") return `The site has launched, so nobody joins the waitlist any more.${advice}`;
  if (state === "expired" || (await correctedNow()) >= armed.expiresAt) {
    return `This tablet’s time at ${armed.event} is over.${advice}`;
  }
  return "";
}

/** In the tablet's time zone, with the date unless it is today. The tablet's clock reads `time - offset` then. */
function timeOf(time: EpochMillis, offset: Millis): string {
  const day = (at: EpochMillis) => new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "long" });
  const clock = new Date(time).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  return day(time) === day(Date.now() + offset) ? clock : `${day(time)}, ${clock}`;
}
