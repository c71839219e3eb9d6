import type { Page } from "@playwright/test";
import { extractText } from "unpdf";
import { featureGroups } from "#app/pages/landing/feature-groups.tsx";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

/** The text of the page's PDF, without the spaces and line breaks that typesetting adds. */
async function printedText(page: Page): Promise<string> {
  const { text } = await extractText(new Uint8Array(await page.pdf()), { mergePages: true });
  return text.replaceAll(/\s/g, "");
}

const packed = (words: string) => words.replaceAll(/\s/g, "");

test("the printed landing page has every feature, and the addresses of its links and of the site", async ({
  page,
  site,
}) => {
  needs("features", "roadmap");
  const { host } = new URL(site.url);
  // Transitions are what hides closed groups.
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto(site.url);
  const text = await printedText(page);
  for (const { features } of featureGroups) {
    for (const { eventHosts, stallholders } of features)
      expect(text.includes(packed(eventHosts)) && text.includes(packed(stallholders)), eventHosts).toBe(true);
  }
  expect(text.startsWith(host)).toBe(true);
  expect(text).toContain(`roadmap(${host}/roadmap)`);
  expect(text).not.toContain("(/");
  expect(text).not.toContain("(#");
  // The links of cards cover their pictures on a screen.
  await page.emulateMedia({ media: "print" });
  const places = await page
    .locator("main a")
    .evaluateAll((links) => links.map((link) => getComputedStyle(link, "::after").position));
  expect(new Set(places)).toEqual(new Set(["static"]));
});

test(
  "a printed policy is black on white, has no header or buttons, and shows its links' addresses",
  slow,
  async ({ page, site }) => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ media: "print", colorScheme });
      await page.goto(`${site.url}/privacy`);
      await expect(page.getByRole("banner")).toBeHidden();
      await expect(page.getByRole("contentinfo")).toBeHidden();
      for (const link of await page.getByRole("link", { name: "Back to home" }).all()) await expect(link).toBeHidden();
      await expect(page.locator("body")).toHaveCSS("background-color", "rgb(255, 255, 255)");
      await expect(page.locator("main p").first()).toHaveCSS("color", "rgb(0, 0, 0)");
      const text = await printedText(page);
      const target = await page.locator("main a[href^='https:']").first().getAttribute("href");
      expect(text).toContain(`(${target})`);
      expect(text).toContain(`(${new URL(site.url).host}/cookie-policy)`);
      expect(text).not.toContain("(mailto:");
    }
  },
);
