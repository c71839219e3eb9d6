import { type BrowserContext, expect, type Locator, type Page } from "@playwright/test";
import { hydrate } from "#scripts/lib/hydrated.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { CONTENT_KEY, fetchPosts } from "#tests/support/browser/blog-site.ts";
import { ghostPost, posts, startGhost } from "#tests/support/browser/ghost-server.ts";
import { formOn } from "#tests/support/browser/sign-up-form.ts";
import { test as base } from "#tests/support/browser/test.ts";
import {
  BEACON_TOKEN,
  fakeThirdParties,
  MEASUREMENT_ID,
  PIXEL_ID,
  SUPPORT_URL,
  SURVEY_URL,
  type ThirdParties,
} from "#tests/support/browser/third-parties.ts";

interface Fixtures {
  thirdParties: ThirdParties;
  /** Whether the third parties' scripts are blocked, as by an ad blocker. */
  blocked: boolean;
}

/** The browser `test` on a site with every optional setting configured and all third parties faked. */
export const test = base.extend<Fixtures>({
  site: async ({ shared }, use) => use(await shared("configured site", startConfiguredSite)),
  blocked: [false, { option: true }],
  thirdParties: [
    async ({ context, site, blocked }, use) => {
      await use(await fakeThirdParties(context, site.url, { blocked }));
      // Closing a context while intercepted requests are pending can hang.
      await context.unrouteAll({ behavior: "wait" });
    },
    { auto: true },
  ],
});

export { expect };

async function startConfiguredSite(): Promise<RunningSite> {
  const ghost = await startGhost(posts(ghostPost({ feature_image: "https://pictures.example/stall.jpg" })));
  const site = await startSite({ vars: { ...optionalVars, GHOST_URL: ghost.url } });
  // A site's first page is slow, and says that the blog failed if its posts are late.
  await fetchPosts(site.url);
  const stop = async () => {
    await site.stop();
    await ghost.stop();
  };
  return { ...site, stop };
}

const optionalVars = {
  GA_MEASUREMENT_ID: MEASUREMENT_ID,
  META_PIXEL_ID: PIXEL_ID,
  CF_BEACON_TOKEN: BEACON_TOKEN,
  SURVEY_URL,
  SUPPORT_URL,
  FACEBOOK_URL: "https://www.facebook.com/waitlist-site.example",
  GHOST_CONTENT_KEY: CONTENT_KEY,
};

/** The banner's controls, by their labels and roles. */
export function bannerOn(page: Page) {
  const region = page.getByRole("region", { name: "Cookie preferences" });
  return {
    region,
    categories: region.locator("summary"),
    toggle: (name: "Necessary" | "Analytics" | "Marketing") => region.getByRole("checkbox", { name }),
    decline: region.getByRole("button", { name: "Decline All" }),
    acceptSelected: region.getByRole("button", { name: "Accept Selected" }),
    accept: region.getByRole("button", { name: "Accept All" }),
    settings: page.getByRole("contentinfo").locator("a[href*='cookies=settings']"),
  };
}

/**
 * Opens a page and waits until it is hydrated, and no request has begun or ended for half a second. Playwright's `networkidle`
 * once never came on the page with the survey, although the page was complete: it also waits for the frame of another site.
 */
export async function open(page: Page, url: string): Promise<void> {
  let latest = Date.now();
  const note = () => {
    latest = Date.now();
  };
  page.on("request", note).on("requestfinished", note).on("requestfailed", note);
  await page.goto(url);
  await hydrate(page);
  await expect.poll(() => Date.now() - latest, { timeout: 30_000 }).toBeGreaterThan(500);
  page.off("request", note).off("requestfinished", note).off("requestfailed", note);
}

/** Accepts all cookies, waits until every service has sent its page view, then clears the recorded calls and requests. */
export async function acceptAll(page: Page, url: string, thirdParties: ThirdParties): Promise<void> {
  await open(page, url);
  await bannerOn(page).accept.click();
  await expect.poll(() => [thirdParties.calls.length, thirdParties.requests.length]).toEqual([12, 6]);
  thirdParties.calls.length = 0;
  thirdParties.requests.length = 0;
}

/** Clicks a button that withdraws consent and waits for the reload that follows. */
export async function clickAndReload(page: Page, button: Locator): Promise<void> {
  const reloaded = page.waitForEvent("load");
  await button.click();
  await reloaded;
}

/** Signs up in the first form. */
export function signUp(page: Page, email: string): Promise<void> {
  return formOn(page).submit(email);
}

/** The decoded cookie choice; null if missing or unreadable. */
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
