import { SIGN_UPS_PATH } from "#app/waitlist/fair/protocol.ts";
import {
  addAll,
  addFairDevice,
  changeFairDevice,
  countInbox,
  emailField,
  entriesOf,
  fillAndSubmit,
  joinButton,
  openArmed,
  readWaiting,
  signUpAtFair,
  staffLine,
} from "#tests/support/browser/fair.ts";
import { type FairSite, startFairSite } from "#tests/support/browser/fair-site.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { test as base, expect } from "#tests/support/browser/test.ts";

const test = base.extend<{ fair: FairSite }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads fixture names from this pattern
  fair: async ({}, use) => {
    await using fair = await startFairSite();
    await use(fair);
  },
});

test.beforeEach(() => needs("fair"));

const siteOf = (fair: FairSite) => ({ ...fair.site, url: fair.url });
const addresses = Array.from({ length: 40 }, (_, index) => `flap-${String(index).padStart(2, "0")}@stall.example.com`);

test(
  "on a network that comes and goes, and that loses answers, nobody is lost or doubled",
  slow,
  async ({ page, fair }) => {
    test.setTimeout(120_000);
    await openArmed(page, siteOf(fair));
    let requests = 0;
    fair.fault = (path) => {
      if (path !== SIGN_UPS_PATH) return null;
      requests += 1;
      return ([null, "cut", "lose-answer"] as const)[requests % 3] ?? null;
    };
    for (const email of addresses) {
      await page.evaluate(fillAndSubmit, email);
      // Each time the network comes back, the page sends.
      await page.evaluate(() => dispatchEvent(new Event("online")));
    }
    await expect(async () => {
      await page.evaluate(() => dispatchEvent(new Event("online")));
      expect(await readWaiting(page)).toBe(0);
    }).toPass();
    expect(requests).toBeGreaterThan(3);
    await addAll(fair.site);
    expect((await entriesOf(fair.site)).map(({ email }) => email)).toEqual(addresses);
  },
);

test("an answer that is lost when the tablet is set up harms nothing", slow, async ({ page, fair }) => {
  let isFirst = true;
  fair.fault = (path) => {
    if (path !== "/fair/arm" || !isFirst) return null;
    isFirst = false;
    return "lose-answer";
  };
  await page.goto(`${fair.url}/fair#${await addFairDevice(fair.site)}`);
  await expect(page.getByText("keeps trying")).toBeVisible();
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect(joinButton(page)).toBeVisible();
});

for (const hours of [-3, 3]) {
  test(`with a clock that is ${hours} hours wrong, times are right`, slow, async ({ page, context, fair }) => {
    await page.addInitScript((offset) => {
      const now = Date.now;
      Date.now = () => now() + offset;
    }, hours * 3_600_000);
    await openArmed(page, siteOf(fair));
    await context.setOffline(true);
    const before = Date.now();
    await signUpAtFair(page, "clock@stall.example.com");
    const after = Date.now();
    await context.setOffline(false);
    await expect.poll(() => countInbox(fair.site)).toBe(1);
    await addAll(fair.site);
    const [entry] = await entriesOf(fair.site);
    expect(entry?.createdAt).toBeGreaterThan(before - 1_000);
    expect(entry?.createdAt).toBeLessThan(after + 1_000);
  });
}

test(
  "switched off in the middle: the form closes once nobody types, and what comes later is held",
  slow,
  async ({ page, context, fair }) => {
    await openArmed(page, siteOf(fair));
    await signUpAtFair(page, "before@stall.example.com");
    await page.reload();
    await expect(staffLine(page)).toContainText("All sent");
    await context.setOffline(true);
    await page.evaluate(fillAndSubmit, "without-network@stall.example.com");
    await page.reload();
    await emailField(page).fill("typing@exam");
    await changeFairDevice(fair.site, 1, { revoked_at: Date.now() });
    await context.setOffline(false);
    await expect(staffLine(page)).toContainText("The owner has switched this tablet off.");
    await emailField(page).fill("typing@stall.example.com");
    await joinButton(page).click();
    await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Sign-up here has closed" })).toBeVisible();
    await expect(staffLine(page)).toContainText("All sent");
    await fair.site.sweep();
    expect((await entriesOf(fair.site)).map(({ email }) => email)).toEqual(["before@stall.example.com"]);
    expect(await countInbox(fair.site)).toBe(2);
  },
);

test("at the end of its time the form closes without network", slow, async ({ page, context, fair }) => {
  await openArmed(page, siteOf(fair));
  await context.setOffline(true);
  await page.addInitScript(() => {
    const now = Date.now;
    Date.now = () => now() + 90_000_000;
  });
  await page.reload();
  await expect(page.getByRole("heading", { name: "Sign-up here has closed" })).toBeVisible();
  await expect(staffLine(page)).toContainText("This tablet’s time at Spring Fair is over.");
});

test(
  "a tablet set up for another event still sends what waits for the first",
  slow,
  async ({ page, context, fair }) => {
    await openArmed(page, siteOf(fair));
    await context.setOffline(true);
    await signUpAtFair(page, "first@stall.example.com");
    await context.setOffline(false);
    fair.fault = (path) => (path === SIGN_UPS_PATH ? "cut" : null);
    await openArmed(page, siteOf(fair), "Autumn Fair");
    await expect(page.getByText("Autumn Fair")).toBeVisible();
    await signUpAtFair(page, "second@stall.example.com");
    fair.fault = () => null;
    await page.reload();
    await expect(staffLine(page)).toContainText("All sent");
    const devices = await fair.site.rows("fair_devices");
    expect(devices.map(({ received }) => received)).toEqual([1, 1]);
  },
);

test("closed by the owner: what nobody can read any more leaves the tablet", slow, async ({ page, context, fair }) => {
  await openArmed(page, siteOf(fair));
  await context.setOffline(true);
  await signUpAtFair(page, "late@stall.example.com");
  await changeFairDevice(fair.site, 1, { closed_at: Date.now(), private_key: null });
  await context.setOffline(false);
  await expect.poll(() => readWaiting(page)).toBe(0);
  expect(await countInbox(fair.site)).toBe(0);
  await expect(page.locator("#device-warning")).toContainText("1 could not be sent and cannot be recovered");
  await expect(page.locator("#backlog")).toHaveText("");
});
