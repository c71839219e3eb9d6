import { answerGroups } from "#app/site.ts";
import { mainQuestion } from "#app/waitlist/questions/questions.server.ts";
import { sidewaysScroll, violations } from "#tests/support/browser/measure.ts";
import { onEveryDevice, screens } from "#tests/support/browser/on-every-device.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { slowUnless } from "#tests/support/browser/slow.ts";

const question = mainQuestion;
const [firstAnswer = ""] = Object.keys(question?.answers ?? {});
const group = answerGroups[question?.key ?? ""]?.[firstAnswer] ?? question?.answers?.[firstAnswer] ?? "";

onEveryDevice(({ name, javaScriptEnabled }) => {
  test(
    "parts of the list are one press, or one key, away",
    slowUnless(name === "phone" && !javaScriptEnabled),
    async ({ owner: page, site }) => {
      await page.goto(`${site.url}/owner/entries?order=oldest&status=active`);
      const parts = page.getByRole("navigation", { name: "Parts of the list" });
      const current = parts.locator("[aria-current]");
      await expect(current).toHaveText("All");
      await parts.getByRole("link", { name: "Not invited", exact: true }).click();
      await page.waitForURL(/\?status=active&invited=no&order=oldest$/);
      await expect(current).toHaveText("Not invited");
      expect(await sidewaysScroll(page)).toBe(0);
      if (javaScriptEnabled) expect(await violations(page)).toEqual([]);
      test.skip(firstAnswer === "", "The main question has no answers to choose from.");
      const chip = parts.getByRole("link", { name: group, exact: true });
      await chip.focus();
      await expect(chip).toBeInViewport({ ratio: 1 });
      await page.keyboard.press("Enter");
      await page.waitForURL(/\?status=active&answer_\w+=\w+&order=oldest$/);
      await expect(current).toHaveText(group);
      await expect(page.getByRole("navigation", { name: "Filters in use" }).getByRole("link")).toHaveText([
        /Status: Active/,
      ]);
    },
  );
});

test.describe("on a phone", () => {
  test.use({ viewport: screens.phone });

  test("25 people take at most 2,200 pixels, each of them two lines", async ({ owner: page, site }) => {
    await page.goto(`${site.url}/owner/entries`);
    const rows = page.locator(".entry-table tbody tr");
    await expect(rows).toHaveCount(25);
    const table = await page.locator(".entry-table").boundingBox();
    expect(table?.height).toBeLessThanOrEqual(2_200);
    const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
    // An address with its touch target, and a line below it.
    for (const height of heights) expect(height).toBeLessThanOrEqual(88);
    for (const text of ["Active", "Unconfirmed"]) {
      await expect(rows.getByText(text, { exact: true }).first()).toBeVisible();
    }
    const answers = page.locator(`.entry-table td[data-label="${question?.label}"]:visible`);
    if (question !== undefined) expect(await answers.count()).toBeGreaterThan(0);
  });
});
