import type { Page } from "@playwright/test";
import { extractText } from "unpdf";
import { featureGroups } from "#app/features/landing/feature-groups.tsx";
import { needs } from "#tests/support/browser/needs.ts";
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
