import type { Page } from "@playwright/test";
import { paths } from "#scripts/lib/site-paths.ts";
import {
  acceptAll,
  bannerOn,
  cookieNames,
  expect,
  JOINED,
  open,
  signUp,
  stopBy,
  test,
} from "#tests/support/browser/consent.ts";
import { SURVEY_URL } from "#tests/support/browser/third-parties.ts";

/** The site's promise: without consent a browser asks nobody else for anything, but for what this list names. */
const exceptions = [{ address: SURVEY_URL, reason: "the survey's frame, for which the visitor opened /survey" }];

function broken(requests: string[]): string[] {
  return requests.filter((request) => !exceptions.some(({ address }) => address === request));
}

test("before any choice: nobody else is asked, and no cookie is set", async ({ page, context, site, others }) => {
  await visitEverything(page, site.url, "undecided@example.com");
  await expect(bannerOn(page).region).toBeVisible();
  expect(broken(others.requests)).toEqual([]);
  expect(await cookieNames(context)).toEqual([]);
});

test("after Decline All: nobody else is asked, and no cookie but ours is set", async ({
  page,
  context,
  site,
  others,
}) => {
  await open(page, site.url);
  await bannerOn(page).decline.click();
  await expect(bannerOn(page).region).toBeHidden();
  await visitEverything(page, site.url, "declined@example.com");
  expect(broken(others.requests)).toEqual([]);
  expect(await cookieNames(context)).toEqual(["cookiePreferences"]);
});

test("after withdrawing: nobody else is asked any more, and no cookie but ours is left", async ({
  page,
  context,
  site,
  others,
}) => {
  await acceptAll(page, site.url, others);
  expect(await cookieNames(context)).not.toEqual(["cookiePreferences"]);
  await bannerOn(page).settings.click();
  await stopBy(page, bannerOn(page).decline);
  others.requests.length = 0;

  await visitEverything(page, site.url, "withdrawn@example.com");
  expect(broken(others.requests)).toEqual([]);
  expect(await cookieNames(context)).toEqual(["cookiePreferences"]);
});

test.describe("under Global Privacy Control", () => {
  test.beforeEach(async ({ context, extraHTTPHeaders }) => {
    await context.setExtraHTTPHeaders({ ...extraHTTPHeaders, "Sec-GPC": "1" });
    await context.addInitScript(() => Object.defineProperty(navigator, "globalPrivacyControl", { value: true }));
  });

  test("before any choice: nobody else is asked, and no cookie is set", async ({ page, context, site, others }) => {
    await visitEverything(page, site.url, "gpc@example.com");
    expect(broken(others.requests)).toEqual([]);
    expect(await cookieNames(context)).toEqual([]);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  for (const choice of ["Decline All", "Accept All"]) {
    test(`before any choice and after ${choice}: nobody else is asked`, async ({ page, context, site, others }) => {
      for (const path of paths) await page.goto(`${site.url}${path}`);
      expect(await cookieNames(context)).toEqual([]);
      await page.getByRole("button", { name: choice }).click();
      for (const path of paths) await page.goto(`${site.url}${path}`);
      expect(broken(others.requests)).toEqual([]);
      expect(await cookieNames(context)).toEqual(["cookiePreferences"]);
    });
  }
});

test("the list of exceptions holds no more than what happens", async ({ page, site, others }) => {
  await open(page, `${site.url}/survey`);
  expect(others.requests).toEqual(exceptions.map(({ address }) => address));
});

/** Every page, a sign-up, and a change of pages without loading one. */
async function visitEverything(page: Page, url: string, email: string): Promise<void> {
  for (const path of paths) await open(page, `${url}${path}`);
  await open(page, `${url}/?utm_source=fb_ads`);
  await signUp(page, email);
  await expect(page.locator("#join").getByRole("status")).toHaveText(JOINED);
  await page.getByRole("banner").getByRole("link", { name: "Roadmap" }).click();
  await expect(page).toHaveURL(`${url}/roadmap`);
  // Whatever the page would still do, it has done once it has nothing else to do.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await open(page, url);
}
