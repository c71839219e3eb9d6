import { violations } from "#tests/support/browser/measure.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { storedAnswers } from "#tests/support/browser/stored-answers.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { answersTo, choiceQuestions } from "#tests/support/site-answers.ts";

test.skip(choiceQuestions.length === 0, "app/site.ts has no question with answers to choose from.");

const [asked = { key: "", label: "", wording: "", answers: {} }] = choiceQuestions;
const offered = answersTo(asked).map((key) => [key, asked.answers?.[key] ?? ""] as const);

for (const javaScriptEnabled of [true, false]) {
  test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test("a person answers, changes and removes their answer", slow, async ({ page, site }) => {
      const email = `role-own-${javaScriptEnabled}@example.com`;
      await page.request.post(`${site.url}/api/signup`, { data: { email } });
      await page.request.post(`${site.url}/api/send-welcome`, { data: { email } });
      const { text } = await site.emailTo(email);
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto(/\S+\/your-data\/\S+/.exec(text)?.[0] ?? "no link");
      const question = page.getByRole("group", { name: asked.wording });
      for (const chosen of offered) {
        await question.getByRole("button", { name: chosen[1], exact: true }).click();
        await expect(page.getByText(`Your answer: ${chosen[1]}.`)).toBeVisible();
        await expect(question.locator("[aria-pressed=true]")).toHaveText(chosen[1]);
        expect(await storedAnswers(site, email)).toEqual({ [asked.key]: chosen[0] });
      }
      if (javaScriptEnabled) expect(await violations(page)).toEqual([]);
      await page.getByRole("button", { name: `Remove my answer to: ${asked.wording}` }).click();
      await expect(question.getByText("Not answered yet.")).toBeVisible();
      expect(await storedAnswers(site, email)).toBeNull();
    });
  });
}
