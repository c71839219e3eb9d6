import type { Page } from "@playwright/test";
import { emailField, joinButton, openArmed, signUpAtFair, staffLine } from "#tests/features/fair/browser/fair.ts";
import { test } from "#tests/features/fair/browser/fair-site.ts";
import { htmlProblems } from "#tests/support/browser/html.ts";
import { clippedTexts, sidewaysScroll, smallTargets, violations } from "#tests/support/browser/measure.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { nightly, slow } from "#tests/support/browser/slow.ts";
import { expect } from "#tests/support/browser/test.ts";

interface FairState {
  name: string;
  /** On a tablet that is set up. */
  enter?: (page: Page) => Promise<unknown>;
  /** Only the nightly tests look at it. */
  isVariant?: true;
  /** A tablet's screen shows all of it without scrolling. */
  fits?: true;
}

const states: FairState[] = [
  { name: "form", fits: true, enter: async () => {} },
  {
    name: "question about a misspelt domain",
    enter: async (page) => {
      await emailField(page).fill("ada@gmial.com");
      await joinButton(page).click();
      await expect(page.getByText("Did you mean")).toBeVisible();
    },
  },
  {
    name: "mistake at the field",
    isVariant: true,
    enter: async (page) => {
      await emailField(page).fill("ada");
      await joinButton(page).click();
      await expect(page.getByRole("alert").filter({ hasText: "valid email" })).toBeVisible();
    },
  },
  {
    name: "notice about people’s data",
    enter: async (page) => {
      await page.getByRole("button", { name: "Your data" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  {
    name: "thanks without network, while one waits",
    fits: true,
    enter: async (page) => {
      await page.context().setOffline(true);
      await signUpAtFair(page, "every.view@stall.example.com");
    },
  },
  {
    name: "closed form",
    enter: async (page) => {
      // Without network, since the server's clock would correct the tablet's.
      await page.context().setOffline(true);
      await page.addInitScript(() => {
        const now = Date.now;
        Date.now = () => now() + 90_000_000;
      });
      await page.reload();
      await expect(page.getByRole("heading", { name: "Sign-up here has closed" })).toBeVisible();
      await expect(staffLine(page)).toContainText("This tablet’s time at Spring Fair is over.");
    },
  },
  { name: "page of a tablet without a code", fits: true },
];

test.beforeEach(() => needs("fair"));

for (const { name, enter, fits, isVariant } of states) {
  test(`the ${name}: is sound, with targets of 60 px`, isVariant ? nightly : slow, async ({ page, fair }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.setViewportSize({ width: 810, height: 1080 });
    if (enter === undefined) await page.goto(`${fair.url}/fair`);
    else await openArmed(page, fair);
    await enter?.(page);
    await expect(page.getByRole("heading").first()).toBeVisible();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violations(page), colorScheme).toEqual([]);
    }
    const session = await page.context().newCDPSession(page);
    for (const [width, height] of [
      [360, 740],
      [810, 1080],
      [1080, 810],
    ] as const) {
      await page.setViewportSize({ width, height });
      const room = await page.evaluate(() => innerHeight - document.documentElement.scrollHeight);
      if (fits && width > 360) expect(room, `${width} px`).toBe(0);
      // It is made for tablets: a phone only has to show it.
      for (const size of width > 360 ? [16, 32] : [16]) {
        await session.send("Page.setFontSizes", { fontSizes: { standard: size } });
        const where = `${width} px, text of ${size} px`;
        expect(await sidewaysScroll(page), where).toBe(0);
        expect(await smallTargets(page, 60), where).toEqual([]);
        expect(await clippedTexts(page), where).toEqual([]);
      }
      await session.send("Page.setFontSizes", { fontSizes: { standard: 16 } });
    }
  });
}

test("the document is valid", async ({ fair }) => {
  const html = await (await fetch(`${fair.url}/fair`)).text();
  // React writes `hidden=""`, and each of the views, of which one shows, has a heading.
  const problems = (await htmlProblems(html)).filter(
    (problem) => !/^attribute-empty-style: Attribute "hidden"|^heading-level: Multiple/.test(problem),
  );
  expect(problems).toEqual([]);
});
