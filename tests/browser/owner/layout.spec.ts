import type { Page } from "@playwright/test";
import { api, embed, fair, letters, referrals, series, webhooks } from "#app/switches.ts";
import { schemes, widths } from "#scripts/lib/site-paths.ts";
import { htmlProblems } from "#tests/support/browser/html.ts";
import { clippedTexts, sidewaysScroll, smallTargets, violations } from "#tests/support/browser/measure.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";

const filtered = "/owner/entries?status=active&utm_campaign=autumn_fair&without=utm_source&answer_role=admin";
const paths = [
  "/owner",
  "/owner/entries",
  filtered,
  "/owner/entries/203",
  // With a referral that waits.
  "/owner/entries/63",
  "/owner/entries/new",
  "/owner/emails",
  "/owner/emails/welcome",
  "/owner/emails/confirm",
  "/owner/export",
  "/owner/entries/erase?source=landing_page&from=2025-01-01&from_time=14:00",
  ...(referrals ? ["/owner/referrals", "/owner/referrals?list=counted"] : []),
  ...(api ? ["/owner/api-keys"] : []),
  ...(webhooks ? ["/owner/webhooks"] : []),
  ...(embed ? ["/owner/embed"] : []),
  ...(fair ? ["/owner/fair"] : []),
  ...(letters && series ? ["/owner/series", "/owner/series/new"] : []),
  "/owner/log",
  "/owner/no-such-page",
];

for (const path of paths) {
  test(
    `${path} is valid, accessible, and fits every width in both colour schemes`,
    slow,
    async ({ owner: page, site }) => {
      const errors: string[] = [];
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
      await page.goto(site.url + path);
      expect(await htmlProblems(await (await page.request.get(site.url + path)).text())).toEqual([]);
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await openAll(page);
        // Colours change no sizes, and the width changes no contrast.
        for (const width of colorScheme === "light" ? widths : [1280]) {
          await page.setViewportSize({ width, height: 800 });
          const where = `${width} px, ${colorScheme}`;
          expect(await sidewaysScroll(page), where).toBe(0);
          expect(await smallTargets(page, width < 768 ? 44 : 36), where).toEqual([]);
          expect(await clippedTexts(page), where).toEqual([]);
          if (width === (colorScheme === "light" ? 360 : 1280)) expect(await violations(page), where).toEqual([]);
        }
      }
      expect(errors.filter((text) => !text.includes("404"))).toEqual([]);
    },
  );
}

for (const colorScheme of schemes) {
  test(
    `on a phone the first entry is on the first screen, ${colorScheme}`,
    slowUnless(colorScheme === "light"),
    async ({ owner: page, site }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 360, height: 740 });
      const first = page.locator(".entry-table tbody tr").first();
      for (const query of ["", "?source=landing_page", "?source=landing_page&status=active&disposable=no"]) {
        await page.goto(`${site.url}/owner/entries${query}`);
        await expect(first, query).toBeInViewport({ ratio: 0.99 });
      }
      await page.getByRole("searchbox").fill("e");
      await page.getByRole("searchbox").press("Enter");
      await page.waitForURL(/search=/);
      await expect(first).toBeInViewport({ ratio: 0.99 });
    },
  );
}

test("the pages load only themselves, one stylesheet, the font and the icons", async ({ owner: page, site }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`${site.url}/owner`);
  await page.waitForLoadState("networkidle");
  const files = requests.map((url) => url.replace(site.url, "").replace(/-[\w-]{8}\./, "."));
  const known = ["/owner", "/assets/owner.css", "/assets/fraunces.woff2", "/favicon.svg", "/favicon.ico"];
  expect(files.filter((file) => !known.includes(file))).toEqual([]);
});

function openAll(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
}
