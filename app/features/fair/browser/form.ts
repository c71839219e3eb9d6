import { type Arming, addCode, arm, takeCode } from "#app/features/fair/browser/arm.ts";
import { correctedNow } from "#app/features/fair/browser/clock.ts";
import { type ArmedDevice, changeDevice, currentDevice, readDevices } from "#app/features/fair/browser/devices.ts";
import { clearEntry, isEmpty, startEntry } from "#app/features/fair/browser/entry.ts";
import { startPrivacy } from "#app/features/fair/browser/privacy.ts";
import { registerServiceWorker, requestSync, watchVersion } from "#app/features/fair/browser/registration.ts";
import { type Schedule, startSchedule } from "#app/features/fair/browser/schedule.ts";
import { sendAll } from "#app/features/fair/browser/send.ts";
import { showArming, showBacklog, showNoStorage, showStorage } from "#app/features/fair/browser/staff-line.ts";
import { askToPersist, checkStorage } from "#app/features/fair/browser/storage-room.ts";
import { showThanks, startThanks } from "#app/features/fair/browser/thanks.ts";
import { currentView, showView } from "#app/features/fair/browser/views.ts";
import { keepScreenOn } from "#app/features/fair/browser/wake-lock.ts";

/* The script of the form at a fair. */

let schedule: Schedule | undefined;
let arming: Arming = { kind: "none" };
/** A new version waits for the page to reload. */
let isOutdated = false;

void start();

async function start(): Promise<void> {
  watchVersion((isUpdate) => {
    isOutdated ||= isUpdate;
    // Before, a scanned code may not be stored yet, and a reload would lose it.
    if (schedule !== undefined) void refresh();
  });
  startEntry({ onStored: stored, onCleared: refresh });
  startThanks(next);
  startPrivacy();
  clearEntry();
  // A page that the browser restores must not show what was typed before.
  addEventListener("pageshow", clearEntry);
  addEventListener("hashchange", openCode);
  document.addEventListener("visibilitychange", () => void refresh());
  keepScreenOn();
  await openCode();
  schedule = startSchedule(synchronise);
  void askToPersist().then(refreshStorage);
  void registerServiceWorker();
}

async function openCode(): Promise<void> {
  try {
    await addCode(takeCode());
  } catch {
    showNoStorage();
  }
  arming = { kind: "none" };
  await refresh();
  schedule?.now();
}

/** @returns whether all that could be done is done */
async function synchronise(): Promise<boolean> {
  const armed = await arm();
  // A refusal stays until another code is scanned.
  if (armed.kind !== "none" || arming.kind === "waiting") arming = armed;
  await refresh();
  const isDone = await sendAll();
  await refresh();
  return isDone && armed.kind !== "waiting";
}

async function stored(hasEmail: boolean): Promise<void> {
  showThanks(hasEmail, next);
  void requestSync();
  schedule?.now();
  await Promise.all([refresh(), refreshStorage()]);
}

function next(): void {
  clearEntry();
  void showCurrent(true);
}

async function refresh(): Promise<void> {
  try {
    const device = await showCurrent(false);
    await showBacklog(device);
  } catch {
    showNoStorage();
    if (currentView() === undefined) showView("set-up");
  }
}

async function refreshStorage(): Promise<void> {
  showStorage(await checkStorage());
}

/**
 * Shows the view of the tablet's state. It does not interrupt anyone who is typing or reading the thanks. If the device has
 * expired or was revoked by then, the server holds the sign-up for the owner's decision.
 *
 * @param isNext whether thanks are over
 */
async function showCurrent(isNext: boolean): Promise<ArmedDevice | undefined> {
  const devices = await readDevices();
  const device = currentDevice(devices);
  showArming(device !== undefined, arming, devices);
  const isBusy = currentView() === "thanks" ? !isNext : currentView() === "entry" && !isEmpty();
  if (isBusy) return device;
  if (isOutdated) {
    location.reload();
    return device;
  }
  for (const name of document.querySelectorAll("[data-event]")) name.textContent = device?.armed.event ?? "";
  if (device === undefined) showView("set-up");
  else await showDevice(device);
  return device;
}

/** What is stored about the device says whether the form is shown, so that no sign-up comes after it is said to be closed. */
async function showDevice(device: ArmedDevice): Promise<void> {
  const hasEnded = !(await isOpen(device));
  if (hasEnded) showView("ended");
  if (hasEnded !== device.hasEnded) await changeDevice(device, { hasEnded });
  if (!hasEnded) showView("entry");
}

async function isOpen({ state, armed }: ArmedDevice): Promise<boolean> {
  // With an unknown key too, the form is closed: the server would not take what people enter.
  return state === "open" && (await correctedNow()) < armed.expiresAt;
}
