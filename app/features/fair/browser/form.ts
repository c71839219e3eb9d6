import { type Arming, addCode, arm, takeCode } from "#app/features/fair/browser/arm.ts";
import { correctedNow } from "#app/features/fair/browser/clock.ts";
import {
  type ArmedDevice,
  currentDevice,
  readDevices,
  updateStoredDevice,
} from "#app/features/fair/browser/devices.ts";
import { clearEntry, isEmpty, startEntry } from "#app/features/fair/browser/entry.ts";
import { registerServiceWorker, requestSync, watchVersion } from "#app/features/fair/browser/registration.ts";
import { sendAll } from "#app/features/fair/browser/send.ts";
import { showArming, showBacklog, showNoStorage, showStorage } from "#app/features/fair/browser/staff-line.ts";
import { askToPersist, checkStorage } from "#app/features/fair/browser/storage-room.ts";
import { showThanks, startThanks } from "#app/features/fair/browser/thanks.ts";
import { currentView, showView } from "#app/features/fair/browser/views.ts";
import type { Millis } from "#app/server/time/units.ts";

/* The script of the form at a fair. */

/** Between two attempts to synchronise, and at most after failures. */
const INTERVAL: Millis = 30_000;
const MAX_INTERVAL: Millis = 300_000;

/** Synchronises now; while it does, once more after that. Absent until a scanned code is stored. */
let synchroniseNow: (() => void) | undefined;
let arming: Arming = { kind: "none" };
/** A new version waits for the page to reload. */
let isOutdated = false;

void start();

async function start(): Promise<void> {
  watchVersion((isUpdate) => {
    isOutdated ||= isUpdate;
    // Before, a scanned code may not be stored yet, and a reload would lose it.
    if (synchroniseNow !== undefined) void refresh();
  });
  startEntry({ onStored: stored, onCleared: refresh });
  startThanks(next);
  clearEntry();
  // A page that the browser restores must not show what was typed before.
  addEventListener("pageshow", clearEntry);
  addEventListener("hashchange", openCode);
  document.addEventListener("visibilitychange", () => void refresh());
  keepScreenOn();
  await openCode();
  synchroniseNow = startSchedule(synchronise);
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
  synchroniseNow?.();
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
  synchroniseNow?.();
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
  if (hasEnded !== device.hasEnded) await updateStoredDevice(device, { hasEnded });
  if (!hasEnded) showView("entry");
}

async function isOpen({ state, armed }: ArmedDevice): Promise<boolean> {
  // With an unknown key too, the form is closed: the server would not take what people enter.
  return state === "open" && (await correctedNow()) < armed.expiresAt;
}

/** Repeats an attempt: now, when the network comes back, and every 30 seconds, each time twice as long after a failure. */
function startSchedule(attempt: () => Promise<boolean>): () => void {
  let interval = INTERVAL;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;
  let isWanted = false;

  async function run(): Promise<void> {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    clearTimeout(timer);
    while (isWanted) {
      isWanted = false;
      const succeeded = await attempt().catch(() => false);
      interval = succeeded ? INTERVAL : Math.min(2 * interval, MAX_INTERVAL);
    }
    isRunning = false;
    timer = setTimeout(run, interval);
  }

  addEventListener("online", () => void run());
  void run();
  return () => void run();
}

function keepScreenOn(): void {
  const request = async () => {
    if (document.visibilityState !== "visible") return;
    // Refused when the battery is low; a browser without it ignores the wish.
    await navigator.wakeLock?.request("screen").catch(() => {});
  };
  // The browser releases the lock whenever the page is hidden.
  document.addEventListener("visibilitychange", request);
  void request();
}
