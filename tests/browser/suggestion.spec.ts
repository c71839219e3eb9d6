import { formOn, openHydrated } from "#tests/support/browser/sign-up-form.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

const JOINED = "Thanks for joining! Please check your email.";

test("a misspelt address joins, and a button on its ticket signs up the suggested one", async ({ page, site }) => {
  await page.clock.install({ time: 0 });
  await openHydrated(page, site.url);
  await page.clock.pauseAt(3_600_000);
  const form = page.locator("form#join");
  const message = form.locator(".sign-up-message");
  const use = page.locator(".ticket").getByRole("button", { name: "Use lovelace@gmail.com instead" });
  await form.getByPlaceholder("Enter your email").fill("lovelace@gmial.com");
  await form.getByRole("button", { name: "Join Waitlist" }).click();
  await expect(message).toHaveText(JOINED);
  await expect
    .poll(async () => {
      await page.clock.runFor(100);
      return use.isVisible();
    })
    .toBe(true);
  // The frame that scrolls the ticket into view.
  await page.clock.runFor(100);
  // Success and doubt are not together.
  await expect(form.getByRole("status")).toHaveText(JOINED);
  await expect(form.getByRole("button", { name: "Join Waitlist" })).toBeFocused();

  // The message disappears as usual; the suggestion stays where it is.
  await page.locator(".ticket").evaluate((ticket) => Promise.all(ticket.getAnimations().map((each) => each.finished)));
  const position = await use.boundingBox();
  await page.clock.runFor(5_000);
  await expect(message).toHaveText("");
  await expect.poll(() => use.boundingBox()).toEqual(position);

  await use.click();
  await expect(message).toHaveText(JOINED);
  await expect(use).toHaveCount(0);
  await expect(form.getByRole("button", { name: "Join Waitlist" })).toBeFocused();
  const joined = (await site.rows("waitlist_emails")).map(({ email }) => email);
  expect(joined).toEqual(expect.arrayContaining(["lovelace@gmial.com", "lovelace@gmail.com"]));
});

test(
  "the suggestion of a listed address is used with the keyboard, and the next attempt ends it",
  slow,
  async ({ page, site }) => {
    await openHydrated(page, site.url);
    const { email, message } = formOn(page);
    const join = page.locator("form#join").getByRole("button", { name: "Join Waitlist" });
    const use = page.locator("form#join").getByRole("button", { name: "instead" });
    for (const text of [JOINED, "This email is already on our waitlist!"]) {
      await email.fill("hopper@hotmial.com");
      await join.click();
      await expect(message).toContainText(text);
    }
    await expect(use).toBeVisible();
    await email.focus();
    // Other fields may follow the address.
    const fields = await page.locator("form#join").getByRole("textbox").count();
    for (let field = 0; field < fields; field += 1) await page.keyboard.press("Tab");
    await expect(join).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(use).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(message).toHaveText(JOINED);

    await email.fill("hopper@hotmial.com");
    await join.click();
    await expect(use).toBeVisible();
    await email.fill("not an address");
    await join.click();
    await expect(message).toHaveText("Please enter a valid email address");
    await expect(use).toHaveCount(0);
  },
);

test("on a phone a suggestion stands right below the form, without a gap for a message", async ({ page, site }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await openHydrated(page, site.url);
  const { email, button } = formOn(page);
  await email.fill("hopper@hotmial.com");
  await email.blur();
  const suggestion = page.locator("form#join .sign-up-suggestion");
  await expect(suggestion).toBeVisible();
  const [row, below] = [await button.first().boundingBox(), await suggestion.boundingBox()];
  expect((below?.y ?? 0) - ((row?.y ?? 0) + (row?.height ?? 0))).toBeLessThan(24);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the button signs up the suggested address", slow, async ({ page, site }) => {
    await page.goto(site.url);
    const form = page.locator("form#join");
    await form.getByPlaceholder("Enter your email").fill("franklin@gmial.com");
    await form.getByRole("button").click();
    await expect(form.getByRole("status")).toContainText(JOINED);
    await expect(form.getByRole("status")).toHaveText(JOINED);
    await page.getByRole("button", { name: "Use franklin@gmail.com instead" }).click();
    await expect(form.getByRole("status")).toHaveText(JOINED);
    const joined = (await site.rows("waitlist_emails")).map(({ email }) => email);
    expect(joined).toContain("franklin@gmail.com");
  });
});
