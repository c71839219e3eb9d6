import { EVENT, emailField, joinButton, openArmed, thanks } from "#tests/support/browser/fair.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { errorsOf, translatePage } from "#tests/support/browser/translate.ts";

needs("fair");

test("the translated form of a tablet at a fair shows its messages", slow, async ({ page, site }) => {
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
