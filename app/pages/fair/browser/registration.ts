import { SERVICE_WORKER_PATH, SYNC_TAG } from "#app/pages/fair/browser/precache.ts";
import { FAIR_PATH } from "#app/waitlist/fair/protocol.ts";

/* The page's side of its service worker. */

/** How often the page looks for a new version: it may be open for days (milliseconds). */
const UPDATE_INTERVAL = 900_000;

/** Not in TypeScript's types: https://wicg.github.io/background-sync/spec/ */
interface WithSync {
  sync?: { register(tag: string): Promise<void> };
}

interface WithTrustedTypes {
  trustedTypes?: {
    createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(input: string): string };
  };
}

let registration: ServiceWorkerRegistration | undefined;

/** @param onUpdate a new version has taken over; the page is still the old one */
export async function registerServiceWorker(onUpdate: () => void): Promise<void> {
  const { serviceWorker } = navigator;
  // Without it, for example in private windows of Firefox, the form works until the page is reloaded without network.
  if (serviceWorker === undefined) return;
  // The first version takes over a page that is its own.
  let hadController = serviceWorker.controller !== null;
  serviceWorker.addEventListener("controllerchange", () => {
    if (hadController) onUpdate();
    hadController = true;
  });
  try {
    registration = await serviceWorker.register(scriptUrl(), { scope: FAIR_PATH, updateViaCache: "none" });
  } catch {
    // Refused, or no network: the next opening tries again.
    return;
  }
  const update = () => void registration?.update().catch(() => {});
  setInterval(update, UPDATE_INTERVAL);
  addEventListener("online", update);
}

/** Asks the browser to wake the service worker once there is network, even if the page is closed by then. */
export async function requestSync(): Promise<void> {
  try {
    await (registration as WithSync | undefined)?.sync?.register(SYNC_TAG);
  } catch {
    // Switched off in the browser's settings.
  }
}

/** Where Trusted Types are enforced, a script's URL has to come from the policy that the page's CSP names. */
function scriptUrl(): string {
  const createScriptURL = () => SERVICE_WORKER_PATH;
  const { trustedTypes } = window as WithTrustedTypes;
  return trustedTypes?.createPolicy("fair", { createScriptURL }).createScriptURL("") ?? SERVICE_WORKER_PATH;
}
