import type { Page } from "@playwright/test";
import { answerMessages } from "#app/waitlist/questions/answer-messages.ts";
import { bannerOn, savedChoice } from "#tests/support/browser/consent.ts";
import { EVENT, emailField, joinButton, openArmed, thanks } from "#tests/support/browser/fair.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { JOINED, ticketOn } from "#tests/support/browser/ticket.ts";
import { moments, openTranslated, translatePage } from "#tests/support/browser/translate.ts";
import { choiceQuestions } from "#tests/support/site-answers.ts";

/** Errors in the console, but for failed requests, the refusal to share and view transitions that a slow machine skips. */
function errorsOf(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => {
    if (!message.startsWith("Transition was skipped")) errors.push(message);
  });
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !/^(Failed to load resource|Sharing failed)/.test(text)) errors.push(text);
  });
  return errors;
}

for (const moment of moments) {
  test.describe(`on a page translated ${moment} hydration`, () => {
    test("a visitor sees every message of a sign-up", slowUnless(moment === "after"), async ({ page, site }) => {
      const errors = errorsOf(page);
      const address = `translated-${moment}@gmial.com`;
      await openTranslated(page, site.url, moment, address);
      const form = page.locator("form#join");
      const field = form.getByPlaceholder("Enter your email");
      const join = form.locator(".sign-up-row").getByRole("button");
      const message = form.locator(".sign-up-message");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^«/);
      await expect(field).toHaveValue(address);

      await field.fill("ada@example");
      await join.click();
      await expect(message).toHaveText("«Please enter a valid email address»");
      await field.fill(address);
      await field.blur();
      await expect(form.locator(".sign-up-suggestion")).toContainText("«Did you mean translated");

      const held = Promise.withResolvers<void>();
      await page.route("**/api/signup", async (route) => {
        await held.promise;
        await route.continue();
      });
      await join.click();
      await expect(join).toHaveText("«Joining...»");
      await expect(join.locator(".spinner")).toBeVisible();
      held.resolve();
      await expect(message).toHaveText(`«${JOINED}»`);
      await expect(join).toHaveText("«Join Waitlist»");
      await expect(field).toHaveValue("");
      await expect(ticketOn(page)).toBeVisible();
      const [question] = choiceQuestions;
      for (const words of Object.values(question?.answers ?? {}).slice(0, 2)) {
        const answer = ticketOn(page).getByRole("button", { name: words });
        await answer.click();
        await expect(answer).toHaveAttribute("aria-pressed", "true");
        await expect(ticketOn(page).getByText(answerMessages.answered)).toBeVisible();
      }
      await expect(message).toHaveText("");

      await field.fill(address);
      await join.click();
      await expect(message).toHaveText("«This email is already on our waitlist!»");
      await ticketOn(page).getByRole("button", { name: "instead" }).click();
      await expect(message).toHaveText(`«${JOINED}»`);
      expect(errors).toEqual([]);
    });

    test(
      "the banner, sharing and navigation work",
      slowUnless(moment === "before"),
      async ({ page, context, site }) => {
        needs("share", "waysToHelp", "roadmap");
        const errors = errorsOf(page);
        await page.addInitScript(() =>
          Object.defineProperty(navigator, "share", { value: () => Promise.reject(new Error()) }),
        );
        await openTranslated(page, site.url, moment, "");
        const banner = bannerOn(page);
        await banner.categories.click();
        await banner.toggle("Analytics").check();
        await banner.acceptSelected.click();
        await expect(banner.region).toBeHidden();
        await expect.poll(() => savedChoice(context)).toMatchObject({ analytics: true, marketing: false });
        await banner.settings.click();
        await expect(banner.toggle("Analytics")).toBeChecked();
        await banner.decline.click();
        await expect(banner.region).toBeHidden();

        for (let time = 0; time < 2; time += 1) {
          await page.getByRole("button", { name: "Share" }).click();
          await expect(page.getByLabel("Copy this link")).toHaveValue(`${site.url}/`);
        }

        const heading = page.getByRole("heading", { level: 1 });
        for (const name of ["Roadmap", "Privacy policy", "Cookie policy"]) {
          await page.getByRole("contentinfo").getByRole("link", { name }).click();
          await expect(heading).toHaveText(`«${name}»`);
        }
        for (const name of ["Privacy policy", "Roadmap", "The right stall at the right fair"]) {
          await page.goBack();
          await expect(heading).toHaveText(`«${name}»`);
        }
        await page.getByRole("contentinfo").getByRole("link", { name: "Cookie settings" }).click();
        await expect(banner.region).toBeVisible();
        expect(errors).toEqual([]);
      },
    );
  });
}

test("the translated form of a tablet at a fair shows its messages", slow, async ({ page, site }) => {
  needs("fair");
  const errors = errorsOf(page);
  await openArmed(page, site);
  await page.evaluate(translatePage);
  await expect(page.getByText(`«${EVENT}»`)).toBeVisible();
  await emailField(page).fill("ada@example");
  await joinButton(page).click();
  await expect(page.getByRole("alert").filter({ hasText: "«Please enter a valid email address»" })).toBeVisible();
  await emailField(page).fill("translated-fair@gmial.com");
  await joinButton(page).click();
  await expect(page.getByText("«translated-fair@gmail.com»")).toBeVisible();
  await page.getByRole("button", { name: "Yes, use that" }).click();
  await expect(thanks(page)).toBeVisible();
  await expect(page.locator("#backlog")).toContainText("«All sent, last at");
  expect(errors).toEqual([]);
});
