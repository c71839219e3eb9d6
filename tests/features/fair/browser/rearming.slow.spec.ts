import { ARM_PATH, SIGN_UPS_PATH, type SignUpsRequest } from "#app/features/fair/protocol.ts";
import {
  addFairDevice,
  changeFairDevice,
  deviceOf,
  emailField,
  joinButton,
  openArmed,
  readStore,
  sendFromPage,
  signUpAtFair,
  staffLine,
  thanks,
} from "#tests/features/fair/browser/fair.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { expect, test } from "#tests/support/browser/test.ts";

test.beforeEach(async ({ page }) => {
  needs("fair");
  await sendFromPage(page);
});

test("an earlier device says once that its form is closed, and is forgotten", async ({ page, site }) => {
  const requests: SignUpsRequest[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === SIGN_UPS_PATH) requests.push(request.postDataJSON());
  });
  await openArmed(page, site);
  await signUpAtFair(page, "current@stall.example.com");
  await expect.poll(() => requests.at(-1)).toMatchObject({ hasEnded: false, waiting: 1 });
  // Without the answer, the page would send it again once it has loaded.
  await expect.poll(() => readStore(page, "sign-ups")).toEqual([]);
  await page.reload();
  await openArmed(page, site, "Autumn Fair");
  await expect.poll(() => requests.at(-1)).toMatchObject({ hasEnded: true, waiting: 0, signUps: [] });
  await expect.poll(async () => (await readStore(page, "devices")).length).toBe(1);
});

test("a form that was closed opens again when the server says so", async ({ page, site }) => {
  await openArmed(page, site);
  const number = await deviceOf(page);
  await changeFairDevice(site, number, { revoked_at: Date.now() });
  // Contact is asked for at an opening if the last is a minute old.
  await page.clock.install({ time: Date.now() + 120_000 });
  await page.reload();
  await expect(page.getByRole("heading", { name: "Sign-up here has closed" })).toBeVisible();
  await changeFairDevice(site, number, { revoked_at: null });
  // The next contact may wait for one that is under way.
  await expect(async () => {
    await page.clock.runFor(70_000);
    await expect(joinButton(page)).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await signUpAtFair(page, "again@stall.example.com");
});

test("a page cannot sign up with a device that another page has closed", async ({ page, site }) => {
  await openArmed(page, site);
  await emailField(page).fill("too-late@stall.example.com");
  // As another page does that shows that sign-up has ended.
  const [device] = await readStore(page, "devices");
  await readStore(page, "devices", [{ ...device, hasEnded: true }]);
  await joinButton(page).click();
  await expect(page.getByRole("alert").filter({ hasText: "you’re not signed up yet" })).toBeVisible();
  await expect(thanks(page)).toBeHidden();
});

test("a sign-up that is being sealed while another page sets the tablet up again is for the new event", async ({
  page,
  site,
  context,
}) => {
  await page.addInitScript(() => {
    const { generateKey } = SubtleCrypto.prototype;
    const released = new Promise((resolve) => addEventListener("release", resolve));
    SubtleCrypto.prototype.generateKey = async function (...parameters: unknown[]) {
      await released;
      return Reflect.apply(generateKey, this, parameters);
    };
  });
  await openArmed(page, site);
  await emailField(page).fill("between@stall.example.com");
  await joinButton(page).click();
  const other = await context.newPage();
  await sendFromPage(other);
  await openArmed(other, site, "Autumn Fair");
  await expect.poll(async () => (await readStore(page, "devices")).length).toBe(1);
  await page.route(`**${SIGN_UPS_PATH}`, (route) => route.abort());
  await other.close();
  await page.evaluate(() => dispatchEvent(new Event("release")));
  await expect(thanks(page)).toBeVisible();
  expect(await readStore(page, "sign-ups")).toMatchObject([{ device: await deviceOf(page) }]);
});

test("what comes of a new code shows over the form too", async ({ page, site }) => {
  await openArmed(page, site);
  await page.route(`**${ARM_PATH}`, (route) => route.abort());
  await page.goto(`${site.url}/fair#${await addFairDevice(site, "Autumn Fair")}`);
  await expect(staffLine(page)).toContainText("The new code needs a connection.");
  await page.unrouteAll();
  await page.reload();
  await expect(page.getByText("Autumn Fair")).toBeVisible();
  await expect(staffLine(page)).not.toContainText("The new code");
  await page.goto(`${site.url}/fair#${"x".repeat(43)}`);
  await expect(staffLine(page)).toContainText("This code no longer works.");
  await expect(joinButton(page)).toBeVisible();
});
