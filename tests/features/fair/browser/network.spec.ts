import { SIGN_UPS_PATH } from "#app/features/fair/protocol.ts";
import {
  addAll,
  addFairDevice,
  changeFairDevice,
  countInbox,
  deviceOf,
  emailField,
  entriesOf,
  fillAndSubmit,
  joinButton,
  leaveThanks,
  openArmed,
  readWaiting,
  signUpAtFair,
  staffLine,
} from "#tests/features/fair/browser/fair.ts";
import { test } from "#tests/features/fair/browser/fair-site.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect } from "#tests/support/browser/test.ts";

const addresses = Array.from({ length: 20 }, (_, index) => `flap-${String(index).padStart(2, "0")}@flap.example.com`);
const ended = "Sign-up here has closed";

test.beforeEach(() => needs("fair"));

test("on a network that comes and goes, and that loses answers, nobody is lost or doubled", async ({ page, fair }) => {
  await openArmed(page, fair);
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
  // Each fault, and one that arrived.
  expect(requests).toBeGreaterThanOrEqual(3);
  await addAll(fair.site, await deviceOf(page));
  expect((await entriesOf(fair.site, "flap.example.com")).map(({ email }) => email)).toEqual(addresses);
});

test("an answer that is lost when the tablet is set up harms nothing", slow, async ({ page, fair }) => {
  let isFirst = true;
  fair.fault = (path) => {
    if (path !== "/fair/arm" || !isFirst) return null;
    isFirst = false;
    return "lose-answer";
  };
  await page.goto(`${fair.url}/fair#${await addFairDevice(fair)}`);
  await expect(page.getByText("keeps trying")).toBeVisible();
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect(joinButton(page)).toBeVisible();
});

test(
  "switched off in the middle: the form closes once nobody types, and what comes later is held",
  slow,
  async ({ page, context, fair }) => {
    await openArmed(page, fair);
    const device = await deviceOf(page);
    await signUpAtFair(page, "before@off.example.com");
    await page.reload();
    await expect(staffLine(page)).toContainText("All sent");
    await context.setOffline(true);
    await page.evaluate(fillAndSubmit, "without-network@off.example.com");
    await page.reload();
    await emailField(page).fill("typing@exam");
    await changeFairDevice(fair, device, { revoked_at: Date.now() });
    await context.setOffline(false);
    await expect(staffLine(page)).toContainText("The owner has switched this tablet off.");
    await signUpAtFair(page, "typing@off.example.com");
    await leaveThanks(page);
    await expect(page.getByRole("heading", { name: ended })).toBeVisible();
    await expect(staffLine(page)).toContainText("All sent");
    await fair.site.sweep();
    expect((await entriesOf(fair.site, "off.example.com")).map(({ email }) => email)).toEqual([
      "before@off.example.com",
    ]);
    expect(await countInbox(fair, device)).toBe(2);
  },
);

test(
  "a tablet set up for another event still sends what waits for the first",
  slow,
  async ({ page, context, fair }) => {
    await openArmed(page, fair);
    const first = await deviceOf(page);
    await context.setOffline(true);
    await signUpAtFair(page, "first@events.example.com");
    fair.fault = (path) => (path === SIGN_UPS_PATH ? "cut" : null);
    await context.setOffline(false);
    await page.reload();
    await openArmed(page, fair, "Autumn Fair");
    await expect(page.getByText("Autumn Fair")).toBeVisible();
    await signUpAtFair(page, "second@events.example.com");
    fair.fault = () => null;
    await page.reload();
    await expect(staffLine(page)).toContainText("All sent");
    expect([await countInbox(fair, first), await countInbox(fair, first + 1)]).toEqual([1, 1]);
  },
);

test("closed by the owner: what nobody can read any more leaves the tablet", slow, async ({ page, context, fair }) => {
  await openArmed(page, fair);
  const device = await deviceOf(page);
  await context.setOffline(true);
  await signUpAtFair(page, "late@stall.example.com");
  await changeFairDevice(fair, device, { closed_at: Date.now(), private_key: null });
  await context.setOffline(false);
  await expect.poll(() => readWaiting(page)).toBe(0);
  expect(await countInbox(fair, device)).toBe(0);
  await expect(page.locator("#device-warning")).toContainText("1 could not be sent and cannot be recovered");
  await expect(page.locator("#backlog")).toHaveText("");
});
