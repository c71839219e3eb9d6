import { SYNC_TAG } from "#app/features/fair/protocol.ts";
import { countInbox, deviceOf, openArmed, readWaiting, signUpAtFair } from "#tests/features/fair/browser/fair.ts";
import { startTablet } from "#tests/features/fair/browser/fair-tablet.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { expect, test } from "#tests/support/browser/test.ts";

// In Chromium itself: the headless shell has neither background sync nor wake locks.
test.beforeEach(() => needs("fair"));

test("what waits when the page is closed is sent by the service worker", async ({ site }) => {
  await using tablet = await startTablet();
  const { page, context } = tablet;
  await openArmed(page, site);
  const device = await deviceOf(page);
  await context.setOffline(true);
  await signUpAtFair(page, "closed@stall.example.com");
  expect(await readWaiting(page)).toBe(1);
  await expect.poll(() => page.evaluate(readTags)).toEqual([SYNC_TAG]);

  // Of the same origin, so that it can read the storage; it has no script of the form's.
  const other = await context.newPage();
  await context.setOffline(false);
  await page.close();
  await other.goto(`${site.url}/privacy`);
  const session = await context.newCDPSession(other);
  const found = Promise.withResolvers<string>();
  session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    for (const { registrationId, scopeURL } of registrations) {
      if (scopeURL === `${site.url}/fair`) found.resolve(registrationId);
    }
  });
  await session.send("ServiceWorker.enable");
  // As the browser does once there is network: https://wicg.github.io/background-sync/spec/#fire-a-sync-event
  await session.send("ServiceWorker.dispatchSyncEvent", {
    origin: site.url,
    registrationId: await found.promise,
    tag: SYNC_TAG,
    lastChance: false,
  });
  await expect.poll(() => readWaiting(other)).toBe(0);
  expect(await countInbox(site, device)).toBe(1);
});

test("the screen stays on while the form shows", async ({ site }) => {
  await using tablet = await startTablet();
  const { page } = tablet;
  await page.addInitScript(() => {
    const locks: WakeLockSentinel[] = [];
    Object.assign(window, { locks });
    const { request } = WakeLock.prototype;
    WakeLock.prototype.request = async function (type) {
      const lock = await request.call(this, type);
      locks.push(lock);
      return lock;
    };
  });
  await openArmed(page, site);
  const held = () =>
    page.evaluate(
      () => (Reflect.get(window, "locks") as WakeLockSentinel[]).filter(({ released }) => !released).length,
    );
  await expect.poll(held).toBe(1);
  // The browser releases it when the page is hidden.
  await page.evaluate(async () => {
    for (const lock of Reflect.get(window, "locks") as WakeLockSentinel[]) await lock.release();
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await expect.poll(held).toBe(1);
});

/** Runs in the page. What the browser is asked to wake the service worker for. */
async function readTags(): Promise<string[]> {
  const registration = await navigator.serviceWorker.ready;
  return (registration as ServiceWorkerRegistration & { sync: { getTags(): Promise<string[]> } }).sync.getTags();
}
