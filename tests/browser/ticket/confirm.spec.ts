import { hydrate } from "#scripts/lib/hydrated.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { formOn } from "#tests/support/browser/sign-up-form.ts";
import { storedAnswers } from "#tests/support/browser/stored-answers.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { ticketOn } from "#tests/support/browser/ticket.ts";
import { choiceQuestions } from "#tests/support/site-answers.ts";

test.describe("where addresses are confirmed", () => {
  let confirming: RunningSite;

  test.beforeAll(async () => {
    confirming = await startSite({ vars: { CONFIRM_ADDRESSES: "on" } });
  });
  test.afterAll(() => confirming.stop());

  for (const javaScriptEnabled of [true, false]) {
    test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
      test.use({ javaScriptEnabled });

      test("the ticket asks to confirm, and follows the link in the email", async ({ page }) => {
        const address = `ticket-confirm-${javaScriptEnabled}@example.com`;
        await page.goto(confirming.url);
        if (javaScriptEnabled) await hydrate(page);
        await formOn(page).submit(address);
        await expect(ticketOn(page)).toContainText("confirm your address");
        const link = /\S+\/confirm\/\S+/.exec((await confirming.emailTo(address)).text)?.[0] ?? "no link";
        await page.goto(link);
        await expect(page.locator(".ticket")).toHaveCount(0);
        await page.getByRole("button", { name: "Confirm my address" }).click();
        await expect(page.getByRole("heading", { level: 1 })).toHaveText("You’re on the list");
        await expect(page).toHaveTitle(/^You’re on the list/);
        const ticket = ticketOn(page);
        await expect(ticket).toBeVisible();
        await expect(ticket).not.toContainText("confirm your address");
        const [question] = choiceQuestions;
        if (question === undefined) return;
        for (const [key, words] of Object.entries(question.answers ?? {}).slice(0, 2)) {
          await ticket.getByRole("button", { name: words, exact: true }).click();
          await expect(ticket.locator("[aria-pressed=true]")).toHaveText(words);
          await expect(
            ticket.getByText("Thanks. You can change this any time through the link in our emails."),
          ).toBeVisible();
          await expect.poll(() => storedAnswers(confirming, address)).toEqual({ [question.key]: key });
        }
        await page.goto(link);
        await expect(ticket.locator("[aria-pressed=true]")).toHaveCount(1);
      });
    });
  }
});
