import type { Page } from "@playwright/test";
import { formOn, openHydrated } from "#tests/support/browser/sign-up-form.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { JOINED, ticketOn } from "#tests/support/browser/ticket.ts";

test("leaving the field suggests a correction, which moves and blocks no submit", async ({ page, site }) => {
  await page.clock.install({ time: 0 });
  await openHydrated(page, site.url);
  const { email, message } = formOn(page);
  const form = page.locator("form#join");
  const use = form.getByRole("button", { name: "Use curie@gmail.com instead" });
  await email.fill("curie@gmail.com");
  await page.keyboard.press("Tab");
  await email.fill("curie@gmial.com");
  await expect(use).toHaveCount(0);
  await page.keyboard.press("Tab");
  await expect(use).toBeVisible();
  await expect(email).not.toHaveAttribute("aria-invalid");
  // Typed as meant after all.
  await form.getByRole("button", { name: "Join Waitlist" }).click();
  await expect(message).toHaveText(JOINED);
  await expect(use).toHaveCount(0);
  // Never beside the success message.
  await expect(ticketOn(page)).toBeVisible();
  const late = ticketOn(page).getByRole("button", { name: "Use curie@gmail.com instead" });
  const height = await ticketOn(page).evaluate((ticket) => ticket.clientHeight);
  expect(await together(page)).toBe(false);
  await page.clock.runFor(6_000);
  await expect(message).toHaveText("");
  await expect(late).toBeVisible();
  expect(await ticketOn(page).evaluate((ticket) => ticket.clientHeight)).toBe(height);
  await formOn(page).again.click();
  await email.fill("hodgkin@gmial.com");
  await page.keyboard.press("Tab");
  await form.getByRole("button", { name: "Use hodgkin@gmail.com instead" }).click();
  await expect(message).toHaveText(JOINED);
  await expect(page.getByText("Did you mean")).toHaveCount(0);
  const joined = (await site.rows("waitlist_emails")).map(({ email: address }) => address);
  expect(joined).toEqual(expect.arrayContaining(["curie@gmial.com", "hodgkin@gmail.com"]));
  expect(joined).not.toContain("hodgkin@gmial.com");
});

test("the suggestion of a listed address is used with the keyboard, and the next attempt ends it", async ({
  page,
  site,
}) => {
  await page.request.post(`${site.url}/api/signup`, { data: { email: "hopper@hotmial.com" } });
  await openHydrated(page, site.url);
  const { email, message } = formOn(page);
  const join = page.locator("form#join").getByRole("button", { name: "Join Waitlist" });
  const use = page.locator("form#join").getByRole("button", { name: "instead" });
  await email.fill("hopper@hotmial.com");
  await join.click();
  await expect(message).toContainText("This email is already on our waitlist!");
  await expect(use).toBeVisible();
  await join.focus();
  await page.keyboard.press("Tab");
  await expect(use).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(message).toHaveText(JOINED);

  await formOn(page).again.click();
  await email.fill("hopper@hotmial.com");
  await join.click();
  await expect(use).toBeVisible();
  await email.fill("not an address");
  await join.click();
  await expect(message).toHaveText("Please enter a valid email address");
  await expect(use).toHaveCount(0);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the ticket suggests a correction when the success message has gone", slow, async ({ page, site }) => {
    await page.goto(site.url);
    await formOn(page).submit("meitner@gmial.com");
    await expect(formOn(page).message.getByText(JOINED)).toBeVisible();
    // The ticket's styles come last.
    await page.waitForLoadState();
    expect(await together(page)).toBe(false);
    const use = ticketOn(page).getByRole("button", { name: "Use meitner@gmail.com instead" });
    await expect(use).toBeVisible();
    await expect(formOn(page).message.getByText(JOINED)).toBeHidden();
    await use.click();
    await expect(formOn(page).message).toHaveText(JOINED);
    await expect(page.getByText("Did you mean")).toHaveCount(0);
  });
});

/** Whether the success message and the doubt about the address show at the same time. */
async function together(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const shows = (selector: string) => document.querySelector(selector)?.checkVisibility({ visibilityProperty: true });
    return Boolean(shows("[data-status=success]") && shows(".ticket .sign-up-suggestion"));
  });
}
