import { SIGN_UPS_PATH } from "#app/features/fair/protocol.ts";
import {
  addAll,
  deviceOf,
  emailField,
  entriesOf,
  fillAndSubmit,
  openArmed,
  readWaiting,
  signUpAtFair,
  staffLine,
} from "#tests/features/fair/browser/fair.ts";
import { test } from "#tests/features/fair/browser/fair-site.ts";
import { startTablet } from "#tests/features/fair/browser/fair-tablet.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect } from "#tests/support/browser/test.ts";

const PEOPLE = 500;

const addressOf = (index: number) => `person-${String(index).padStart(3, "0")}@hundreds.example.com`;

test(
  "500 people sign up without network, and none is lost or doubled, whatever dies meanwhile",
  slow,
  async ({ fair }) => {
    needs("fair");
    test.setTimeout(400_000);
    await using tablet = await startTablet();
    await openArmed(tablet.page, fair);
    const device = await deviceOf(tablet.page);
    await tablet.context.setOffline(true);
    // For the browser that starts again too, and for the requests of its service worker.
    fair.fault = () => "cut";

    const typedAt: number[] = [];
    const signUpMany = async (end: number) => {
      await signUpAtFair(tablet.page, addressOf(typedAt.length));
      typedAt.push(Date.now());
      while (typedAt.length < end) {
        await tablet.page.evaluate(fillAndSubmit, addressOf(typedAt.length));
        typedAt.push(Date.now());
      }
      await expect.poll(() => readWaiting(tablet.page)).toBe(end);
    };
    const reload = async () => {
      await tablet.page.reload();
      await expect(emailField(tablet.page)).toBeVisible();
      await expect(staffLine(tablet.page)).toContainText(`${typedAt.length} waiting, none sent yet`);
    };
    for (const end of [100, 200, 300]) {
      await signUpMany(end);
      await reload();
    }
    await signUpMany(400);
    await tablet.killAndReopen();
    await tablet.page.goto(`${fair.url}/fair`);
    await expect(staffLine(tablet.page)).toContainText("400 waiting, none sent yet");
    await signUpMany(PEOPLE);

    // A new version goes live, unlike any of another test. Then the server dies with the fourth batch.
    const version = { CONTACT_EMAIL: `new-${Date.now()}@stall.example.com` };
    await fair.restart(version);
    let batches = 0;
    fair.fault = (path) => {
      if (path !== SIGN_UPS_PATH) return null;
      batches += 1;
      if (batches === 4) void fair.site.kill();
      return null;
    };
    await tablet.context.setOffline(false);
    await expect.poll(() => batches, { timeout: 60_000 }).toBeGreaterThanOrEqual(4);
    await expect(staffLine(tablet.page)).toContainText(/\d+ waiting, last sent/);
    await fair.restart(version);
    await tablet.page.reload();
    await expect(staffLine(tablet.page)).toContainText("All sent", { timeout: 60_000 });
    expect(await readWaiting(tablet.page)).toBe(0);

    // The empty form has made way for the new version.
    await expect(tablet.page.locator("#privacy")).toContainText(version.CONTACT_EMAIL, { timeout: 30_000 });

    await addAll(fair.site, device);
    const entries = await entriesOf(fair.site, "hundreds.example.com");
    expect(entries.map(({ email }) => email)).toEqual(typedAt.map((_, index) => addressOf(index)));
    for (const [index, { createdAt }] of entries.entries()) {
      expect(createdAt).toBeGreaterThan(entries[index - 1]?.createdAt ?? 0);
      // The tablet knows the server's clock as well as half a slow request tells.
      expect(Math.abs(createdAt - (typedAt[index] ?? 0))).toBeLessThan(5_000);
    }
  },
);
