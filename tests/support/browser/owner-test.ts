import { test as base, expect, type Page } from "@playwright/test";
import { signIn, startOwnerSite } from "#scripts/lib/owner-site.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";

/**
 * Playwright's `test` on the owner's pages. All tests of a worker share one site and one session, because a sign-in link
 * is sent at most every five minutes.
 */
export const test = base.extend<{ owner: Page }, { site: RunningSite; cookies: Awaited<ReturnType<typeof signedIn>> }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern
    async ({}, use) => {
      const site = await startOwnerSite(400);
      await use(site);
      await site.stop();
    },
    { scope: "worker", timeout: 90_000 },
  ],
  cookies: [
    async ({ browser, site }, use) => {
      const page = await browser.newPage();
      await use(await signedIn(page, site));
      await page.close();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  owner: async ({ page, cookies }, use) => {
    await page.context().addCookies(cookies);
    await use(page);
  },
});

async function signedIn(page: Page, site: RunningSite) {
  await signIn(page, site);
  return page.context().cookies();
}

export { expect };
