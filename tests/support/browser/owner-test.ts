import type { Browser, Page } from "@playwright/test";
import { signIn, startOwnerSite } from "#scripts/lib/owner-site.ts";
import { test as base, expect } from "#tests/support/browser/test.ts";

/** An owner's site, and the cookies of the session there. */
export type OwnerSite = Awaited<ReturnType<typeof startSignedIn>>;

/**
 * The browser `test` on the owner's pages. All tests of a worker share one site and one session, because a sign-in link
 * is sent at most every five minutes.
 */
export const test = base.extend<{ ownerSite: OwnerSite; owner: Page }>({
  ownerSite: [
    async ({ browser, shared }, use) => use(await shared("owner's site", () => startSignedIn(browser))),
    { scope: "test", timeout: 120_000 },
  ],
  site: async ({ ownerSite }, use) => use(ownerSite),
  owner: async ({ page, ownerSite }, use) => {
    await page.context().addCookies(ownerSite.cookies);
    await use(page);
  },
});

/** Starts a site with variables of its own, for tests that change what the others share. */
export async function startSignedIn(browser: Browser, vars: Record<string, string> = {}) {
  const site = await startOwnerSite(400, vars);
  const page = await browser.newPage();
  await signIn(page, site);
  const cookies = await page.context().cookies();
  await page.close();
  return { ...site, cookies };
}

/** Chooses a file on the page for imports, and uploads it. */
export async function uploadList(page: Page, content: string): Promise<void> {
  const file = { name: "fair.csv", mimeType: "text/csv", buffer: Buffer.from(content) };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.locator("main button").first().click();
}

export { expect };
