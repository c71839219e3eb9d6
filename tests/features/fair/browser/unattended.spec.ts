import {
  addFairDevice,
  joinButton,
  openArmed,
  readWaiting,
  signUpAtFair,
  staffLine,
} from "#tests/features/fair/browser/fair.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { expect, test } from "#tests/support/browser/test.ts";

test.beforeEach(() => needs("fair"));

test("a browser that stores nothing says so to the staff", async ({ page, site }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("No storage", "SecurityError");
    };
  });
  await page.goto(`${site.url}/fair`);
  await expect(page.getByRole("heading", { name: "Set up this tablet" })).toBeVisible();
  await expect(staffLine(page)).toContainText("This browser cannot store anything");
});

test("a database connection that died in the background is replaced", async ({ page, site }) => {
  await page.addInitScript(() => {
    const connections: IDBDatabase[] = [];
    Object.assign(globalThis, { connections });
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (...parameters) {
      const opening = open.apply(this, parameters);
      opening.addEventListener("success", () => connections.push(opening.result));
      return opening;
    };
  });
  await openArmed(page, site);
  await page.context().setOffline(true);
  await page.evaluate(() => {
    // Without an event, as when an iPad ends it.
    for (const connection of (globalThis as unknown as { connections: IDBDatabase[] }).connections) connection.close();
  });
  await signUpAtFair(page, "once-more@stall.example.com");
  expect(await readWaiting(page)).toBe(1);
});

test("a first installation that fails is tried again, and staff are told until then", async ({ page, site }) => {
  await page.clock.install();
  await page.addInitScript(() => {
    const { register } = ServiceWorkerContainer.prototype;
    let attempts = 0;
    ServiceWorkerContainer.prototype.register = async function (...parameters) {
      attempts += 1;
      if (attempts === 1) throw new TypeError("No network");
      return register.apply(this, parameters);
    };
  });
  const warning = "Not ready for offline use yet. Keep this tablet online.";
  await page.goto(`${site.url}/fair#${await addFairDevice(site)}`);
  await expect(joinButton(page)).toBeVisible();
  await expect(staffLine(page)).toContainText(warning);
  await page.clock.runFor(31_000);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await expect(staffLine(page)).not.toContainText(warning);
});
