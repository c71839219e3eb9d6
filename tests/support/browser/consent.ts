import { type BrowserContext, expect, type Locator, type Page } from "@playwright/test";
import { untilHydrated } from "#scripts/lib/hydrated.ts";
import { startSite } from "#scripts/lib/running-site.ts";
import { GHOST_CONTENT_KEY, startGhost } from "#tests/support/browser/ghost.ts";
import { test as base } from "#tests/support/browser/test.ts";
import {
  BEACON_TOKEN,
  MEASUREMENT_ID,
  PIXEL_ID,
  SUPPORT_URL,
  SURVEY_URL,
  standInForThirdParties,
  type ThirdParties,
} from "#tests/support/browser/third-parties.ts";

interface Fixtures {
  /** Everybody else, from before the first page on. */
  others: ThirdParties;
  /** Whether the services' scripts are refused. */
  blocked: boolean;
}

/** Playwright's test on a site where everything that can be configured is. */
export const test = base.extend<Fixtures>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern
    async ({}, use) => {
      const ghost = await startGhost();
      const site = await startSite({ vars: { ...everything, GHOST_URL: ghost.url } });
      await use(site);
      await site.stop();
      await ghost.stop();
    },
    { scope: "worker", timeout: 90_000 },
  ],
  blocked: [false, { option: true }],
  others: [
    async ({ context, site, blocked }, use) => {
      await use(await standInForThirdParties(context, site.url, { blocked }));
      // A context that is closed while a page's requests wait to be answered here may never end.
      await context.unrouteAll({ behavior: "wait" });
    },
    { auto: true },
  ],
});

export { expect };

const everything = {
  GA_MEASUREMENT_ID: MEASUREMENT_ID,
  META_PIXEL_ID: PIXEL_ID,
  CF_BEACON_TOKEN: BEACON_TOKEN,
  SURVEY_URL,
  SUPPORT_URL,
  FACEBOOK_URL: "https://www.facebook.com/stallwright.example",
  GHOST_CONTENT_KEY,
};

/** The banner, as a visitor finds it. */
export function bannerOn(page: Page) {
  const region = page.getByRole("region", { name: "Cookie preferences" });
  return {
    region,
    categories: region.getByText("Choose by category"),
    toggle: (name: "Necessary" | "Analytics" | "Marketing") => region.getByRole("checkbox", { name }),
    decline: region.getByRole("button", { name: "Decline All" }),
    acceptSelected: region.getByRole("button", { name: "Accept Selected" }),
    accept: region.getByRole("button", { name: "Accept All" }),
    settings: page.getByRole("link", { name: "Cookie settings", exact: true }),
  };
}

/** Opens a page and waits until its scripts have taken over, and whatever they start has answered. */
export async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await untilHydrated(page);
  await page.waitForLoadState("networkidle");
}

/** Accepts everything, waits until every service has been told of it and has sent its page view, and forgets that. */
export async function acceptAll(page: Page, url: string, others: ThirdParties): Promise<void> {
  await open(page, url);
  await bannerOn(page).accept.click();
  await expect.poll(() => [others.calls.length, others.requests.length]).toEqual([12, 6]);
  others.calls.length = 0;
  others.requests.length = 0;
}

/** Presses a button that stops services, which ends with a reload. */
export async function stopBy(page: Page, button: Locator): Promise<void> {
  const reloaded = page.waitForEvent("load");
  await button.click();
  await reloaded;
}

/** Signs an address up in one of the landing page's forms. */
export async function signUp(page: Page, email: string, form: "join" | "join-help" = "join"): Promise<void> {
  await page.locator(`#${form}`).getByLabel("Your e-mail address").fill(email);
  await page.locator(`#${form}`).getByRole("button").click();
}

/** The choice that the browser has saved, decoded; null when there is none that can be. */
export async function savedChoice(context: BrowserContext): Promise<unknown> {
  const cookie = (await context.cookies()).find(({ name }) => name === "cookiePreferences");
  try {
    return JSON.parse(decodeURIComponent(cookie?.value ?? "null"));
  } catch {
    return null;
  }
}

export async function cookieNames(context: BrowserContext): Promise<string[]> {
  return (await context.cookies()).map(({ name }) => name).toSorted();
}

export const JOINED = "Thanks for joining! Please check your email.";
