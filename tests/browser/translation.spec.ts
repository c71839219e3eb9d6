import { bannerOn, savedChoice } from "#tests/support/browser/consent.ts";
import { holdRequests } from "#tests/support/browser/hydration-control.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { JOINED, ticketOn } from "#tests/support/browser/ticket.ts";
import { errorsOf, openTranslated } from "#tests/support/browser/translate.ts";
import { choiceQuestions } from "#tests/support/site-answers.ts";

for (const moment of ["during", "after"] as const) {
  test(`a visitor sees every message of a sign-up on a page translated ${moment} hydration`, async ({ page, site }) => {
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

    const release = await holdRequests(page, "**/api/signup");
    await join.click();
    await expect(join).toHaveText("«Joining...»");
    await expect(join.locator(".spinner")).toBeVisible();
    release();
    await expect(message).toHaveText(`«${JOINED}»`);
    await expect(join).toHaveText("«Join Waitlist»");
    await expect(field).toHaveValue("");
    await expect(ticketOn(page)).toBeVisible();
    const [question] = choiceQuestions;
    for (const words of Object.values(question?.answers ?? {}).slice(0, 2)) {
      const answer = ticketOn(page).getByRole("button", { name: words });
      await answer.click();
      await expect(answer).toHaveAttribute("aria-pressed", "true");
      await expect(ticketOn(page).getByText("You can change this any time")).toBeVisible();
    }

    await page.locator("summary", { hasText: "Add another address" }).first().click();
    await field.fill(address);
    await join.click();
    await expect(message).toHaveText("«This email is already on our waitlist!»");
    await ticketOn(page).getByRole("button", { name: "instead" }).click();
    await expect(message).toHaveText(`«${JOINED}»`);
    expect(errors).toEqual([]);
  });
}

test(
  "the banner, sharing and navigation work on a page translated before hydration",
  slow,
  async ({ page, context, site }) => {
    needs("share", "waysToHelp", "roadmap");
    const errors = errorsOf(page);
    await page.addInitScript(() =>
      Object.defineProperty(navigator, "share", { value: () => Promise.reject(new Error()) }),
    );
    await openTranslated(page, site.url, "before", "");
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
