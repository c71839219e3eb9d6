import { FAIR_PATH, SERVICE_WORKER_PATH, SYNC_TAG, VERSION_HEADER } from "#app/features/fair/protocol.ts";
import type { Millis } from "#app/server/time/units.ts";

/* The page's side of its service worker. */

/** How often the page looks for a new version: it may be open for days. */
const UPDATE_INTERVAL: Millis = 900_000;

/** How often the page tries to install the first version. */
const RETRY_INTERVAL: Millis = 30_000;

let registration: ServiceWorkerRegistration | undefined;

export function isOfflineReady(): boolean {
  return navigator.serviceWorker !== undefined && (navigator.serviceWorker.controller ?? registration?.active) != null;
}

/** @param onChange a version has taken over; after an update the page is still the old one */
export function watchVersion(onChange: (isUpdate: boolean) => void): void {
  // The first version takes over a page that is its own.
  let hadController = navigator.serviceWorker?.controller != null;
  navigator.serviceWorker?.addEventListener("controllerchange", () => {
    const isUpdate = hadController;
    hadController = true;
    onChange(isUpdate);
  });
  void wasReplaced().then((isUpdate) => {
    if (isUpdate) onChange(true);
  });
}

/**
 * Whether another version took over before this script ran. No event tells that: a new version waits until the old one has
 * answered for the files of a page that opens, and that is just before their script runs.
 */
async function wasReplaced(): Promise<boolean> {
  // Otherwise the server answered for the page, and may be ahead of what is stored.
  const isFromCache = navigator.serviceWorker?.controller != null && location.search === "";
  if (!isFromCache) return false;
  try {
    // The version that has taken over answers, even if it is still deleting the files of the old one.
    const { headers } = await fetch(FAIR_PATH);
    return headers.get(VERSION_HEADER) !== document.documentElement.dataset["version"];
  } catch {
    // Its files were deleted, and there is no network.
    return false;
  }
}

export async function registerServiceWorker(): Promise<void> {
  const { serviceWorker } = navigator;
  // Without it, for example in private windows of Firefox, the form works until the page is reloaded without network.
  if (serviceWorker === undefined) return;
  const url = scriptUrl();
  // Without network both fail. After a failed first installation there is no registration to update: only `register` tries again.
  const update = async () => {
    try {
      if (registration?.active) await registration.update();
      else registration = await serviceWorker.register(url, { scope: FAIR_PATH, updateViaCache: "none" });
    } catch {
      // The intervals below try again.
    }
  };
  await update();
  setInterval(update, UPDATE_INTERVAL);
  setInterval(() => {
    if (!isOfflineReady()) void update();
  }, RETRY_INTERVAL);
  addEventListener("online", update);
}

/** Asks the browser to wake the service worker once there is network, even if the page is closed by then. */
export async function requestSync(): Promise<void> {
  // Not in TypeScript's types: https://wicg.github.io/background-sync/spec/
  const withSync = registration as { sync?: { register(tag: string): Promise<void> } } | undefined;
  try {
    await withSync?.sync?.register(SYNC_TAG);
  } catch {
    // Switched off in the browser's settings.
  }
}

/** Where Trusted Types are enforced, a script's URL has to come from the policy that the page's CSP names. */
function scriptUrl(): string {
  type Policy = { createScriptURL: (input: string) => string };
  const { trustedTypes } = window as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } };
  const policy = trustedTypes?.createPolicy("fair", { createScriptURL: () => SERVICE_WORKER_PATH });
  return policy?.createScriptURL("") ?? SERVICE_WORKER_PATH;
}
