import type { Page } from "@playwright/test";
import { formOn, openHydrated } from "#tests/support/browser/sign-up-form.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { ticketOn } from "#tests/support/browser/ticket.ts";

test("signing up adds a row and sends one email, and a second sign-up is a duplicate", async ({ page, site }) => {
  await openHydrated(page, `${site.url}/?utm_source=fb_ads&utm_campaign=spring`);
  const { email, message, submit } = formOn(page);
  const welcome = page.waitForResponse("**/api/send-welcome");
  await submit.call(formOn(page), "Ada@Example.com");

  await expect(message).toHaveText("Thanks for joining! Please check your email.");
  await expect(email).toHaveValue("");
  expect((await welcome).status()).toBe(200);
  const entries = (await site.rows("waitlist_emails")).filter((row) => row["email"] === "ada@example.com");
  expect(entries).toMatchObject([
    { source: "landing_page", status: "active", early_adopter: 1, utm_source: "fb_ads", utm_campaign: "spring" },
  ]);
  expect(JSON.parse(String(entries[0]?.["metadata"]))).toEqual({
    signup_platform: "web",
    signup_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  const emails = async () => (await site.sentEmails()).filter(({ to }) => to.includes("ada@example.com"));
  await expect.poll(emails).toHaveLength(1);
  await formOn(page).submitAnother("ADA@example.COM");
  await expect(message).toHaveText("This email is already on our waitlist!");
  await expect(email).toHaveValue("ADA@example.COM");
  await expect(email).toBeFocused();
  expect(await emails()).toHaveLength(1);
});

test("the success message disappears after five seconds, and the form can be used again", async ({ page, site }) => {
  await page.clock.install({ time: 0 });
  await openHydrated(page, site.url);
  // From here on, time passes only when the test runs the clock.
  await page.clock.pauseAt(3_600_000);
  const { message } = formOn(page);
  await formOn(page).submit("five-seconds@example.com");
  await expect(message).toHaveText("Thanks for joining! Please check your email.");
  await page.clock.runFor(4_990);
  await expect(message).toHaveText("Thanks for joining! Please check your email.");
  await page.clock.runFor(10);
  await expect(message).toHaveText("");
  await formOn(page).submitAnother("five-seconds@example.com");
  await expect(message).toHaveText("This email is already on our waitlist!");
});

test(
  "pressed again after a success, the form still shows it; opened later, an empty field is an error",
  slow,
  async ({ page, site }) => {
    await page.clock.install({ time: 0 });
    await openHydrated(page, site.url);
    await page.clock.pauseAt(3_600_000);
    const form = page.locator("form#join");
    const [field, button] = [form.getByPlaceholder("Enter your email"), form.getByRole("button")];
    const message = form.locator(".sign-up-message");
    await field.fill("again@example.com");
    await button.click();
    await expect(message).toHaveText("Thanks for joining! Please check your email.");
    await button.click();
    await expect
      .poll(async () => {
        await page.clock.runFor(100);
        return ticketOn(page).isVisible();
      })
      .toBe(true);
    await formOn(page).again.click();
    for (let time = 0; time < 2; time += 1) await field.press("Enter");
    await expect(message).toHaveText("Thanks for joining! Please check your email.");
    await expect(field).not.toHaveAttribute("aria-invalid");
    await page.clock.runFor(5_000);
    await expect(message).toHaveText("");
    await button.click();
    await expect(message).toHaveText("Please enter a valid email address");
  },
);

test("an invalid address shows an error without a loading state or a request", async ({ page, site }) => {
  await openHydrated(page, site.url);
  const requests: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") requests.push(request.url());
  });
  const { email, message, button } = formOn(page);
  const labels = await recordLabels(page);
  await formOn(page).submit("ada@example");

  await expect(message).toHaveText("Please enter a valid email address");
  await expect(email).toHaveValue("ada@example");
  await expect(email).toHaveAttribute("aria-invalid", "true");
  await expect(email).toHaveAccessibleDescription("Please enter a valid email address");
  await expect(button).toHaveText("Join Waitlist");
  expect(await labels()).not.toContain("Joining...");
  expect(requests).toEqual([]);
});

test("while submitting, the button shows 'Joining...' and cannot be clicked again", async ({ page, site }) => {
  await openHydrated(page, site.url);
  let posts = 0;
  const held = Promise.withResolvers<void>();
  await page.route("**/api/signup", async (route) => {
    posts += 1;
    await held.promise;
    await route.continue();
  });
  const { email, button, message } = formOn(page);
  await formOn(page).submit("slow@example.com");

  await expect(button).toHaveText("Joining...");
  await expect(button.locator(".spinner")).toBeVisible();
  await expect(button).toBeDisabled();
  await button.click({ force: true });
  await email.press("Enter");
  held.resolve();
  await expect(message).toHaveText("Thanks for joining! Please check your email.");
  expect(posts).toBe(1);
});

test("a repeated error is announced again and is visible on a small screen", async ({ page, site }) => {
  await page.setViewportSize({ width: 320, height: 480 });
  await openHydrated(page, site.url);
  const { message } = formOn(page);
  const changes = await message.evaluateHandle((area) => {
    const texts: string[] = [];
    new MutationObserver(() => texts.push(area.textContent ?? "")).observe(area, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    return texts;
  });
  for (let time = 0; time < 2; time += 1) {
    await formOn(page).submit("ada@example");
    await expect(message).toHaveText("Please enter a valid email address");
    await expect(message).toBeInViewport({ ratio: 1 });
  }
  const announced = async () => (await changes.jsonValue()).filter((text) => text !== "");
  await expect.poll(async () => (await announced()).length).toBeGreaterThanOrEqual(2);
});

/** Records every label that the form's button shows from now on. */
async function recordLabels(page: Page): Promise<() => Promise<string[]>> {
  const seen = await page.evaluateHandle(() => {
    const labels: string[] = [];
    const button = document.querySelector("form#join button") as HTMLElement;
    new MutationObserver(() => labels.push(button.textContent ?? "")).observe(button, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    return labels;
  });
  return () => seen.jsonValue();
}
