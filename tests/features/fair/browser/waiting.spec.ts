import { SIGN_UPS_PATH } from "#app/features/fair/protocol.ts";
import { createLocalSignInLink } from "#scripts/lib/local-sign-in.ts";
import { OWNER } from "#scripts/lib/owner-site.ts";
import {
  addAll,
  cachesOf,
  changeFairDevice,
  countInbox,
  deviceOf,
  entriesOf,
  fillAndSubmit,
  openArmed,
  readWaiting,
  sendFromPage,
  signUpAtFair,
  staffLine,
} from "#tests/features/fair/browser/fair.ts";
import { test } from "#tests/features/fair/browser/fair-site.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect } from "#tests/support/browser/test.ts";

// As Safari, which has no background sync: what waits is sent when the form is next open.
test.beforeEach(async ({ page }) => {
  needs("fair");
  await sendFromPage(page);
});

test("an owner who signs out on the tablet deletes nothing that waits there", slow, async ({ page, context, fair }) => {
  await openArmed(page, fair);
  const device = await deviceOf(page);
  await context.setOffline(true);
  const people = ["ada", "bob", "eve"].map((name) => `${name}@signed-out.example.com`);
  for (const email of people) await page.evaluate(fillAndSubmit, email);
  await page.goto("about:blank");
  await context.setOffline(false);
  for (const [path, leave] of [
    ["/owner", "sign-out"],
    ["/owner/log", "sign-out-everywhere"],
  ]) {
    await page.goto((await createLocalSignInLink(fair.persistTo, fair.url, OWNER)) ?? "no link");
    await page.getByRole("main").getByRole("button").click();
    await page.waitForURL(`${fair.url}/owner`);
    await page.goto(fair.url + path);
    await page.locator(`form[action='/owner/${leave}'] button`).click();
    await expect(page.getByRole("heading", { name: "You are signed out" })).toBeVisible();
  }
  await page.goto(`${fair.url}/fair`);
  await expect(staffLine(page)).toContainText("All sent");
  await addAll(fair.site, device);
  expect((await entriesOf(fair.site, "signed-out.example.com")).map(({ email }) => email)).toEqual(people);
});

test("a new version that takes over while the page still starts is shown", slow, async ({ page, fair }) => {
  await openArmed(page, fair);
  const version = { CONTACT_EMAIL: `new-${Date.now()}@stall.example.com` };
  await fair.restart(version);
  // What the tablet has stored can be read once the new version has taken over, and not before.
  await page.addInitScript(() => {
    if (sessionStorage["waited"] !== undefined) return;
    sessionStorage["waited"] = "yes";
    const change = new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve));
    Object.defineProperty(IDBOpenDBRequest.prototype, "onsuccess", {
      set(open: () => void) {
        this.addEventListener("success", () => void change.then(open));
      },
    });
  });
  await page.reload();
  await expect(page.locator("#privacy")).toContainText(version.CONTACT_EMAIL, { timeout: 30_000 });
});

test("a new version that takes over before the page's script runs is shown", slow, async ({ page, context, fair }) => {
  await openArmed(page, fair);
  const before = await cachesOf(page);
  const version = { CONTACT_EMAIL: `new-${Date.now()}@stall.example.com` };
  await fair.restart(version);
  // The page has its document, and waits for a response until the old version's files are gone.
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: waits, resolve: arrive } = Promise.withResolvers<void>();
  fair.fault = async (path) => {
    if (path !== "/fair/held") return null;
    arrive();
    await held;
    return "cut";
  };
  await page.addInitScript(() => {
    if (sessionStorage["held"] !== undefined) return;
    sessionStorage["held"] = "yes";
    const request = new XMLHttpRequest();
    request.open("GET", "/fair/held", false);
    try {
      request.send();
    } catch {
      // It gets no response.
    }
  });
  const other = await context.newPage();
  await other.goto(`${fair.url}/privacy`);
  const reloading = page.reload();
  await waits;
  await other.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration("/fair");
    await registration?.update();
  });
  const hasTakenOver = async () => !(await cachesOf(other)).includes(before);
  await expect.poll(hasTakenOver, { timeout: 30_000 }).toBe(true);
  release();
  await reloading;
  await expect(page.locator("#privacy")).toContainText(version.CONTACT_EMAIL, { timeout: 30_000 });
});

test(
  "a new version, revoking and a key that the server does not know leave what waits",
  slow,
  async ({ page, fair }) => {
    await openArmed(page, fair);
    const [version, device] = [await cachesOf(page), await deviceOf(page)];
    fair.fault = (path) => (path === SIGN_UPS_PATH ? "cut" : null);
    await signUpAtFair(page, "ada@stall.example.com");
    await fair.restart({ CONTACT_EMAIL: `new-${Date.now()}@stall.example.com` });
    await page.addInitScript(() => {
      sessionStorage["loads"] = Number(sessionStorage["loads"] ?? 0) + 1;
    });
    await page.reload();
    // The page loads itself again once the new version has taken over.
    await page.waitForFunction(() => Number(sessionStorage["loads"]) === 2);
    expect(await cachesOf(page)).not.toBe(version);
    expect(await readWaiting(page)).toBe(1);

    const row = (await fair.site.rows("fair_devices")).find(({ id }) => id === device);
    await changeFairDevice(fair, device, { key_hash: "another", revoked_at: Date.now() });
    fair.fault = () => null;
    await page.reload();
    await expect(staffLine(page)).toContainText("This tablet is not set up any more.");
    expect(await readWaiting(page)).toBe(1);

    await changeFairDevice(fair, device, { key_hash: String(row?.["key_hash"]) });
    await page.reload();
    await expect.poll(() => readWaiting(page)).toBe(0);
    // It waits for the owner's decision.
    await fair.site.sweep();
    expect(await countInbox(fair, device)).toBe(1);
  },
);

test("the form asks the browser to keep what is stored, and says where it does not promise to", async ({
  page,
  fair,
}) => {
  const warning = "this browser may delete sign-ups that have not been sent";
  await page.addInitScript(() => {
    StorageManager.prototype.persisted = async () => Reflect.get(globalThis, "isAsked") === true;
    StorageManager.prototype.persist = async () => {
      const isGranted = location.search !== "?refused";
      Object.assign(globalThis, { isAsked: isGranted });
      return isGranted;
    };
  });
  await openArmed(page, fair);
  await expect(staffLine(page)).toContainText("Ready");
  await expect(staffLine(page)).not.toContainText(warning);
  await page.goto(`${fair.url}/fair?refused`);
  await expect(staffLine(page)).toContainText(warning);
});
