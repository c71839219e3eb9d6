import type { Page } from "@playwright/test";
import { paths } from "#scripts/lib/site-paths.ts";
import {
  acceptAll,
  bannerOn,
  clickAndReload,
  cookieNames,
  expect,
  open,
  signUp,
  test,
} from "#tests/support/browser/consent.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { untilIdle } from "#tests/support/browser/settled.ts";
import { SURVEY_URL } from "#tests/support/browser/third-parties.ts";
import { JOINED } from "#tests/support/browser/ticket.ts";

/** The only third-party requests allowed without consent. */
const exceptions = [{ url: SURVEY_URL, reason: "the survey frame, which the visitor requests by opening /survey" }];

function unexpected(requests: string[]): string[] {
  return requests.filter((request) => !exceptions.some(({ url }) => url === request));
}

test("undecided visitors get no third-party requests or cookies", async ({ page, context, site, thirdParties }) => {
  await visitPages(page, site.url, "undecided@example.com");
  await expect(bannerOn(page).region).toBeVisible();
  expect(unexpected(thirdParties.requests)).toEqual([]);
  expect(await cookieNames(context)).toEqual([]);
});

test("after Decline All there are no third-party requests and only the site's own cookie", async ({
  page,
  context,
  site,
  thirdParties,
}) => {
  await open(page, site.url);
  await bannerOn(page).decline.click();
  await expect(bannerOn(page).region).toBeHidden();
  await visitPages(page, site.url, "declined@example.com", ["/survey"]);
  expect(unexpected(thirdParties.requests)).toEqual([]);
  expect(await cookieNames(context)).toEqual(["cookiePreferences"]);
});

test("after withdrawal there are no third-party requests and only the site's own cookie", async ({
  page,
  context,
  site,
  thirdParties,
}) => {
  await acceptAll(page, site.url, thirdParties);
  expect(await cookieNames(context)).not.toEqual(["cookiePreferences"]);
  await bannerOn(page).settings.click();
  await clickAndReload(page, bannerOn(page).decline);
  thirdParties.requests.length = 0;

  await visitPages(page, site.url, "withdrawn@example.com", ["/survey", "/privacy"]);
  expect(unexpected(thirdParties.requests)).toEqual([]);
  expect(await cookieNames(context)).toEqual(["cookiePreferences"]);
});

test("under Global Privacy Control undecided visitors get none either", async ({
  page,
  context,
  site,
  thirdParties,
  extraHTTPHeaders,
}) => {
  await context.setExtraHTTPHeaders({ ...extraHTTPHeaders, "Sec-GPC": "1" });
  await context.addInitScript(() => Object.defineProperty(navigator, "globalPrivacyControl", { value: true }));
  await visitPages(page, site.url, "gpc@example.com", ["/survey"]);
  expect(unexpected(thirdParties.requests)).toEqual([]);
  expect(await cookieNames(context)).toEqual([]);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("third parties get no requests before or after Accept All", async ({ page, context, site, thirdParties }) => {
    for (const path of paths) await page.goto(`${site.url}${path}`);
    expect(await cookieNames(context)).toEqual([]);
    await page.getByRole("button", { name: "Accept All" }).click();
    await expect(bannerOn(page).region).toBeHidden();
    for (const path of paths) await page.goto(`${site.url}${path}`);
    expect(unexpected(thirdParties.requests)).toEqual([]);
    expect(await cookieNames(context)).toEqual(["cookiePreferences"]);
  });
});

test("every listed exception occurs", async ({ page, site, thirdParties }) => {
  needs("survey");
  await open(page, `${site.url}/survey`);
  expect(thirdParties.requests).toEqual(exceptions.map(({ url }) => url));
});

/** Loads the pages, signs up, and navigates on the client. */
async function visitPages(page: Page, url: string, email: string, visited = paths): Promise<void> {
  needs("roadmap");
  for (const path of visited) await open(page, `${url}${path}`);
  await open(page, `${url}/?utm_source=fb_ads`);
  await signUp(page, email);
  await expect(page.locator("#join").getByRole("status")).toHaveText(JOINED);
  await page.getByRole("banner").getByRole("link", { name: "Roadmap" }).click();
  await expect(page).toHaveURL(`${url}/roadmap`);
  await untilIdle(page);
}
