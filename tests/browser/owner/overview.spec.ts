import * as switches from "#app/switches.ts";
import { signIn, startOwnerSite } from "#scripts/lib/owner-site.ts";
import { schemes } from "#scripts/lib/site-paths.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect as expectAny, test as plain } from "#tests/support/browser/test.ts";

/** As many as in the screenshots. */
const SEEDED = 2_400;

const tallest = { 1280: 2_400, 390: 4_000 };

plain("the overview begins with what needs attention, and has two columns and a limited height", async ({ page }) => {
  const site = await startOwnerSite(SEEDED);
  try {
    await signIn(page, site);
    for (const [width, limit] of Object.entries(tallest)) {
      await page.setViewportSize({ width: Number(width), height: 800 });
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme });
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        expectAny(height, `${width} px, ${colorScheme}`).toBeLessThanOrEqual(limit);
      }
      await expectAny(page.locator("main h2").first()).toHaveText("Needs attention");
      await expectAny(page.getByRole("button", { name: "Try again", exact: true })).toBeInViewport();
    }
    const number = page.locator(".total-number");
    expectAny(await number.evaluate((element) => getComputedStyle(element).fontSize)).toBe("48px");

    const group = page.getByRole("region", { name: "By campaign", exact: true });
    await expectAny(group.locator("tbody tr:visible")).toHaveCount(5);
    await group.getByText(/^Show all \d+$/).click();
    expectAny(await group.locator("tbody tr:visible").count()).toBeGreaterThan(6);
    const groups = page.locator(".group-columns").first().locator("section");
    for (const [width, columns] of [
      [1_200, 2],
      [1_199, 1],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      const edges = await groups.evaluateAll((all) => all.map((section) => section.getBoundingClientRect().left));
      expectAny(new Set(edges).size, `${width} px`).toBe(columns);
    }
  } finally {
    await site.stop();
  }
});

test("the states below the number add up to all who joined", async ({ owner: page, site }) => {
  await page.goto(`${site.url}/owner`);
  const numbers = await page.locator(".total-parts dd").allTextContents();
  const number = (text: string | null) => Number((text ?? "").replaceAll(",", ""));
  const parts = [await page.locator(".total-number").textContent(), ...numbers.slice(0, -1)].map(number);
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(number(numbers.at(-1) ?? ""));
});

test(
  "a day's numbers show under the pointer, and with the focus by the arrow keys",
  slow,
  async ({ owner: page, site }) => {
    await page.setViewportSize({ width: 1280, height: 1_200 });
    await page.goto(`${site.url}/owner`);
    const days = page.locator(".chart-wide .chart-days label");
    await expect(days).toHaveCount(30);
    const shown = async () => {
      const texts = [];
      for (const numbers of await page.locator(".chart-wide .chart-numbers").all()) {
        if ((await numbers.evaluate((element) => getComputedStyle(element).opacity)) === "1")
          texts.push(await numbers.textContent());
      }
      return texts;
    };
    const visits = switches.visits ? ", \\d+ visits?" : "";
    const numbers = new RegExp(`^\\d+ \\w+: \\d+ joined${visits}, [\\d,]+ in total$`);
    expect(await shown()).toEqual([]);
    await days.nth(4).hover();
    expect(await shown()).toEqual([expect.stringMatching(numbers)]);
    const [hovered] = await shown();
    await page.mouse.move(0, 0);
    expect(await shown()).toEqual([]);
    await days.nth(5).locator("input").focus();
    await page.keyboard.press("ArrowRight");
    const [focused] = await shown();
    expect(focused).toMatch(numbers);
    expect(focused).not.toBe(hovered);
    await expect(days.nth(6).locator("input")).toBeFocused();
    await days.nth(4).hover();
    expect(await shown()).toEqual([hovered]);
    // One tab stop for all days.
    await page.keyboard.press("Tab");
    await expect(page.getByText("Show data")).toBeFocused();
  },
);

plain(
  "below ten people there are no groups, and without failures nothing needs attention first",
  slow,
  async ({ page }) => {
    const site = await startOwnerSite(9);
    try {
      await signIn(page, site);
      await expectAny(page.getByText("is shown once 10 people have joined in the period")).toBeVisible();
      await expectAny(page.locator(".group-table")).toHaveCount(0);
    } finally {
      await site.stop();
    }
  },
);
