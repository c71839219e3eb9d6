import { type Cookie, expect, test } from "@playwright/test";
import { signIn, startOwnerSite } from "#scripts/lib/owner-site.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { sidewaysScroll, smallTargets, violations } from "#tests/support/browser/measure.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { scan } from "#tests/support/browser/scan.ts";
import { slow } from "#tests/support/browser/slow.ts";

let site: RunningSite;

/** The session, which the tests share: a sign-in link is sent at most every five minutes. */
let cookies: Cookie[];

test.beforeAll(async ({ browser }) => {
  test.setTimeout(90_000);
  site = await startOwnerSite(20);
  const page = await browser.newPage();
  await signIn(page, site);
  cookies = await page.context().cookies();
  await page.close();
});

test.afterAll(() => site.stop());

test(
  "a link is made without JavaScript, and its code can be scanned on screen and in print",
  slow,
  async ({ browser }) => {
    needs("survey");
    test.setTimeout(90_000);
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    // Another page decodes the pictures, because this one runs no script and has the owner's content policy.
    const decoder = await browser.newPage();
    try {
      await context.addCookies(cookies);
      await page.goto(`${site.url}/owner`);
      await page.getByRole("link", { name: "Links", exact: true }).click();
      await page.getByLabel("Page").selectOption("/survey");
      await page.getByLabel("Where you will use it").fill("fair");
      await page.getByLabel("Campaign").fill("Frühlingsmarkt 2026");
      await page.getByRole("button", { name: "Make the link" }).click();
      const link = `${site.url}/survey?utm_source=fair&utm_campaign=Fr%C3%BChlingsmarkt+2026`;
      await expect(page.locator(".link-url a")).toHaveAttribute("href", link);
      expect(await scan(decoder, await page.locator(".qr-code").screenshot())).toBe(link);

      await page.getByRole("link", { name: "Print a poster or flyers" }).click();
      for (const colorScheme of ["light", "dark"] as const) {
        for (const media of ["screen", "print"] as const) {
          await page.emulateMedia({ media, colorScheme });
          expect(await scan(decoder, await page.locator(".qr-code").screenshot()), `${media}, ${colorScheme}`).toBe(
            link,
          );
        }
      }
      await page.emulateMedia({ media: "print" });
      await expect(page.getByRole("navigation")).toBeHidden();
    } finally {
      await context.close();
      await decoder.close();
    }
  },
);

test(
  "the form and the page to print are accessible and fit a phone and a desktop in both schemes",
  slow,
  async ({ page }) => {
    test.setTimeout(90_000);
    await page.context().addCookies(cookies);
    const labels = "page=/&utm_source=fair&utm_campaign=autumn_fair_2026";
    for (const path of [
      "/owner/links",
      `/owner/links?${labels}`,
      "/owner/links?page=/&utm_source=@",
      `/owner/links/print?${labels}`,
    ]) {
      await page.goto(site.url + path);
      for (const colorScheme of ["light", "dark"] as const) {
        for (const width of [360, 1280]) {
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          await page.setViewportSize({ width, height: 800 });
          const where = `${path}, ${width} px, ${colorScheme}`;
          expect(await sidewaysScroll(page), where).toBe(0);
          expect(await smallTargets(page, width < 768 ? 44 : 36), where).toEqual([]);
          expect(await violations(page), where).toEqual([]);
        }
      }
    }
  },
);
