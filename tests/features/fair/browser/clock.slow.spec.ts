import { SIGN_UPS_PATH } from "#app/features/fair/protocol.ts";
import {
  addAll,
  deviceOf,
  EVENT,
  entriesOf,
  openArmed,
  readStore,
  sendFromPage,
  signUpAtFair,
} from "#tests/features/fair/browser/fair.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { expect, test } from "#tests/support/browser/test.ts";

const HOUR = 3_600_000;

test.beforeEach(async ({ page }) => {
  needs("fair");
  await sendFromPage(page);
});

test("with a clock that is three hours wrong, times are right, and a slow exchange does not change that", async ({
  page,
  site,
}) => {
  await page.addInitScript(setClock, 3 * HOUR);
  await openArmed(page, site);
  // The first answer takes an hour.
  await page.route(
    `**${SIGN_UPS_PATH}`,
    async (route) => {
      await page.evaluate(setClock, 4 * HOUR);
      await route.continue();
    },
    { times: 1 },
  );
  const before = Date.now();
  await signUpAtFair(page, "slow@clock.example.com");
  await expect.poll(async () => (await readStore(page, "contact"))[0]?.["sentAt"]).toBeTruthy();
  await page.evaluate(setClock, 3 * HOUR);
  await page.reload();
  await signUpAtFair(page, "later@clock.example.com");
  const after = Date.now();
  await expect.poll(async () => (await readStore(page, "sign-ups")).length).toBe(0);
  await addAll(site, await deviceOf(page));
  const entries = await entriesOf(site, "clock.example.com");
  expect(entries).toHaveLength(2);
  for (const { createdAt } of entries) {
    expect(createdAt).toBeGreaterThan(before - 1_000);
    expect(createdAt).toBeLessThan(after + 1_000);
  }
});

test("after its clock was put right, a tablet stays at the event it was set up for last", async ({ page, site }) => {
  await page.addInitScript(setClock, 10 * HOUR);
  await openArmed(page, site);
  await expect(page.getByText(EVENT)).toBeVisible();
  await page.addInitScript(setClock, 0);
  await openArmed(page, site, "Autumn Fair");
  await expect(page.getByText("Autumn Fair")).toBeVisible();
  await expect.poll(async () => (await readStore(page, "devices")).length).toBe(1);
  await page.reload();
  await expect(page.getByText("Autumn Fair")).toBeVisible();
});

/** Runs in the page. */
function setClock(offset: number): void {
  const clock = globalThis as { realNow?: () => number };
  clock.realNow ??= Date.now;
  const now = clock.realNow;
  Date.now = () => now() + offset;
}
