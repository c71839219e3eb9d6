import * as switches from "#app/switches.ts";
import { signIn, startOwnerSite } from "#scripts/lib/owner-site.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expectSound } from "#tests/support/browser/walk.ts";
import { signUp } from "#tests/support/sign-up.ts";

/** As many as in the screenshots. */
const SEEDED = 2_400;

test(
  "the overview begins with what needs attention, and has two columns and a limited height",
  slow,
  async ({ page }) => {
    await using site = await startOwnerSite(SEEDED);
    await signIn(page, site);
    for (const [width, tallest] of [
      [1_280, 2_400],
      [390, 4_000],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollHeight), `${width} px`).toBeLessThanOrEqual(
        tallest,
      );
      await expect(page.locator("main h2").first()).toHaveText("Needs attention");
      await expect(page.getByRole("button", { name: "Try again", exact: true })).toBeInViewport();
    }

    const group = page.getByRole("region", { name: "By campaign", exact: true });
    await expect(group.locator("tbody tr:visible")).toHaveCount(5);
    await group.getByText("Show more").click();
    expect(await group.locator("tbody tr:visible").count()).toBeGreaterThan(6);
    await group.getByRole("link", { name: "All others" }).click();
    await expect(page.getByRole("heading", { name: "By campaign", level: 1 })).toBeVisible();
    expect(await page.locator("tbody tr").count()).toBeGreaterThan(13);
    await page.goBack();
    const groups = page.locator(".group-columns").first().locator("section");
    for (const [width, columns] of [
      [1_200, 2],
      [1_199, 1],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      const edges = await groups.evaluateAll((all) => all.map((section) => section.getBoundingClientRect().left));
      expect(new Set(edges).size, `${width} px`).toBe(columns);
    }
  },
);

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
        const opacity = await numbers.evaluate((element) => getComputedStyle(element).opacity);
        if (opacity === "1") texts.push(await numbers.textContent());
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

test("the overview with its first steps, and with a first sign-up, is sound", slow, async ({ page }) => {
  await using site = await startOwnerSite(0);
  await signIn(page, site);
  await expectSound(page, { name: "the first steps", path: "/owner" }, site.url);
  expect(await signUp(site.url, "first@example.com")).toBe(201);
  await expectSound(page, { name: "a first sign-up", path: "/owner" }, site.url);
});
