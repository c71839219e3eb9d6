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
import { SURVEY_URL, type ThirdParties } from "#tests/support/browser/third-parties.ts";
import { JOINED } from "#tests/support/browser/ticket.ts";

/** The only third-party requests allowed without consent. */
const exceptions = [{ url: SURVEY_URL, reason: "the survey frame, which the visitor requests by opening /survey" }];

function unexpected(requests: string[]): string[] {
  return requests.filter((request) => !exceptions.some(({ url }) => url === request));
}

interface Visit {
  page: Page;
  url: string;
  thirdParties: ThirdParties;
}

const own = ["cookiePreferences"];

for (const { name, decide, visited, cookies } of [
  { name: "undecided", decide: undecided, visited: paths, cookies: [] },
  { name: "undecided, under Global Privacy Control", decide: underGpc, visited: ["/survey"], cookies: [] },
  { name: "who decline all", decide: decline, visited: ["/survey"], cookies: own },
  { name: "who withdraw", decide: withdraw, visited: ["/survey", "/privacy"], cookies: own },
])
  test(`visitors ${name}: no third-party requests, and at most the site's own cookie`, async ({
    page,
    context,
    site: { url },
    thirdParties,
  }) => {
    await decide({ page, url, thirdParties });
    await visitPages(page, url, `${decide.name}@example.com`, visited);
    await expect(bannerOn(page).region).toBeVisible({ visible: cookies.length === 0 });
    expect(unexpected(thirdParties.requests)).toEqual([]);
    expect(await cookieNames(context)).toEqual(cookies);
  });

async function undecided(): Promise<void> {}

async function underGpc({ page }: Visit): Promise<void> {
  await page.setExtraHTTPHeaders({ "Sec-GPC": "1" });
  await page.addInitScript(() => Object.defineProperty(navigator, "globalPrivacyControl", { value: true }));
}

async function decline({ page, url }: Visit): Promise<void> {
  await open(page, url);
  await bannerOn(page).decline.click();
  await expect(bannerOn(page).region).toBeHidden();
}

async function withdraw({ page, url, thirdParties }: Visit): Promise<void> {
  await acceptAll(page, url, thirdParties);
  expect(await cookieNames(page.context())).not.toEqual(own);
  await bannerOn(page).settings.click();
  await clickAndReload(page, bannerOn(page).decline);
  thirdParties.requests.length = 0;
}

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
async function visitPages(page: Page, url: string, email: string, visited: string[]): Promise<void> {
  needs("roadmap");
  for (const path of visited) await open(page, `${url}${path}`);
  await open(page, `${url}/?utm_source=fb_ads`);
  await signUp(page, email);
  await expect(page.locator("#join").getByRole("status")).toHaveText(JOINED);
  await page.getByRole("banner").getByRole("link", { name: "Roadmap" }).click();
  await expect(page).toHaveURL(`${url}/roadmap`);
  await untilIdle(page);
}
