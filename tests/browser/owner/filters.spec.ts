import { questions } from "#app/site.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { sidewaysScroll, violations } from "#tests/support/browser/measure.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { slowUnless } from "#tests/support/browser/slow.ts";

const question = questions.find(({ answers = {} }) => Object.keys(answers).length > 1);
const screens = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 900 } };

for (const [name, viewport] of Object.entries(screens)) {
  for (const javaScriptEnabled of [true, false]) {
    test.describe(`on a ${name}, ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
      test.use({ javaScriptEnabled, viewport });

      test(
        "several answers and people not invited are chosen, shown and removed",
        slowUnless(name === "phone" && !javaScriptEnabled),
        async ({ owner: page, site }) => {
          test.skip(question === undefined, "No question has answers to choose from.");
          if (question === undefined) return;
          const field = answerField(question);
          const [first = "", second = ""] = Object.keys(question.answers ?? {});
          const words = `${question.label}: ${question.answers?.[first]} or ${question.answers?.[second]}`;
          await page.goto(`${site.url}/owner/entries`);
          const all = await page.locator("caption").textContent();
          await page.locator(".list-filters summary").click();
          for (const answer of [first, second]) await page.locator(`input[name=${field}][value=${answer}]`).check();
          await page.locator("select[name=invited]").selectOption("no");
          // The checker is a script.
          if (javaScriptEnabled) expect(await violations(page)).toEqual([]);
          await page.getByRole("button", { name: "Apply" }).click();
          await page.waitForURL(/invited=no/);
          expect(new URL(page.url()).searchParams.getAll(field)).toEqual([first, second]);
          const chips = page.getByRole("navigation", { name: "Filters in use" }).getByRole("link");
          await expect(chips.nth(0)).toContainText(words);
          await expect(chips.nth(1)).toContainText("Invited: Not yet");
          const listed = await page.locator("caption").textContent();
          expect(listed).not.toBe(all);
          await page.locator(".list-filters summary").click();
          for (const answer of [first, second]) {
            await expect(page.locator(`input[name=${field}][value=${answer}]`)).toBeChecked();
          }
          expect(await sidewaysScroll(page)).toBe(0);
          await chips.nth(0).click();
          // The filter that is left is a part of the list.
          await expect(chips).toHaveCount(0);
          const parts = page.getByRole("navigation", { name: "Parts of the list" });
          await expect(parts.locator("[aria-current]")).toHaveText("Not invited");
          await page.goto(`${site.url}/owner/entries?imported=yes`);
          await expect(page.locator("main")).toContainText("No entries match.");
        },
      );
    });
  }
}
