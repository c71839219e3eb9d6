import { holdRequests } from "#tests/support/browser/hydration-control.ts";
import { formOn, openHydrated } from "#tests/support/browser/sign-up-form.ts";
import { expect, test } from "#tests/support/browser/test.ts";

test("without a connection the form shows an error and keeps the typed address", async ({ page, site }) => {
  await openHydrated(page, site.url);
  await page.route("**/api/signup", (route) => route.abort());
  const { email, message } = formOn(page);
  await formOn(page).submit("offline@example.com");
  await expect(message).toContainText("check your connection");
  await expect(email).toHaveValue("offline@example.com");
});

test("a page that breaks during a sign-up says what came of it, and not that anything is logged", async ({
  page,
  site,
}) => {
  await openHydrated(page, site.url);
  const release = await holdRequests(page, "**/api/signup");
  // As an extension could. React finds no place for the spinner.
  await formOn(page).button.evaluate((button) => button.replaceChildren());
  await formOn(page).submit("broken-page@example.com");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
  await expect(main).not.toContainText("logged");
  release();
  await expect(main.getByRole("status")).toHaveText("Thanks for joining! Please check your email.");
  expect((await site.rows("waitlist_emails")).map(({ email }) => email)).toContain("broken-page@example.com");
});
