import type { Page, Route } from "@playwright/test";
import { type FairProblem, SIGN_UPS_PATH, type SignUpsRequest } from "#app/features/fair/protocol.ts";
import {
  countInbox,
  deviceOf,
  openArmed,
  readStore,
  readWaiting,
  sendFromPage,
  signUpAtFair,
  staffLine,
} from "#tests/features/fair/browser/fair.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { expect, test } from "#tests/support/browser/test.ts";

test.beforeEach(async ({ page }) => {
  needs("fair");
  await sendFromPage(page);
});

test("a sign-up that the server refuses stays on the tablet, and the others pass it", async ({ page, site }) => {
  await openArmed(page, site);
  const device = await deviceOf(page);
  const ids = await signUpWithoutNetwork(page, 4);
  await page.route(
    `**${SIGN_UPS_PATH}`,
    refuse(({ signUps }) => signUps.some(({ id }) => id === ids[1])),
  );
  await page.reload();
  const warning = "1 cannot be sent. Keep this tablet and tell the owner.";
  await expect(staffLine(page)).toContainText(warning);
  await expect.poll(() => readWaiting(page)).toBe(1);
  expect(await readStore(page, "sign-ups")).toMatchObject([{ id: ids[1] }]);
  expect(await countInbox(site, device)).toBe(3);
  await signUpAtFair(page, "later@stall.example.com");
  await expect.poll(() => countInbox(site, device)).toBe(4);
  await expect(staffLine(page)).toContainText(warning);
});

test("a server that refuses every request makes the tablet wait, and pass over nothing", async ({ page, site }) => {
  await openArmed(page, site);
  await signUpWithoutNetwork(page, 2);
  let requests = 0;
  await page.route(
    `**${SIGN_UPS_PATH}`,
    refuse(() => {
      requests += 1;
      return true;
    }),
  );
  await page.reload();
  await expect.poll(() => requests).toBeGreaterThanOrEqual(3);
  // What is under way ends with its page: a server that is well again halfway through seems to refuse one sign-up only.
  const form = page.url();
  await page.goto("about:blank");
  await page.unrouteAll();
  await page.goto(form);
  await expect.poll(() => readWaiting(page)).toBe(0);
});

/** No request reaches the server until another route is set. @returns the ids of what waits then */
async function signUpWithoutNetwork(page: Page, people: number): Promise<unknown[]> {
  await page.route(`**${SIGN_UPS_PATH}`, (route) => route.abort());
  for (let index = 0; index < people; index += 1) {
    await signUpAtFair(page, `refused-${index}@stall.example.com`);
    await page.reload();
  }
  const ids = (await readStore(page, "sign-ups")).map(({ id }) => id);
  expect(ids).toHaveLength(people);
  return ids;
}

/** Answers as a server that takes some requests for malformed. */
function refuse(isMalformed: (request: SignUpsRequest) => boolean): (route: Route) => Promise<void> {
  const json: FairProblem = { problem: "malformed", detail: "A field of the request is not valid." };
  return (route) =>
    isMalformed(route.request().postDataJSON()) ? route.fulfill({ status: 422, json }) : route.continue();
}
