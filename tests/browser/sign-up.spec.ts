import type { Page } from "@playwright/test";
import { startSite } from "#tests/browser/support/running-site.ts";
import { expect, test } from "#tests/browser/support/test.ts";
import { withinOneMinute } from "#tests/support/minute.ts";

/** The first form of the page, as a visitor finds it. */
function formOn(page: Page) {
  const form = page.locator("form#join");
  return {
    email: form.getByLabel("Your e-mail address"),
    button: form.getByRole("button"),
    message: form.getByRole("status"),
    async submit(address: string) {
      await this.email.fill(address);
      await this.button.click();
    },
  };
}

/** Until React has taken over, the form is the plain one. */
async function openHydrated(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await untilHydrated(page);
}

async function untilHydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const form = document.querySelector("form#join");
    return form !== null && Object.keys(form).some((key) => key.startsWith("__reactProps"));
  });
}

test("signing up: the message, an empty field, the row and one mail; again: already on the list", async ({
  page,
  site,
}) => {
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
  const mails = (await site.sentMail()).filter(({ to }) => to.includes("ada@example.com"));
  expect(mails).toHaveLength(1);

  await formOn(page).submit("ADA@example.COM");
  await expect(message).toHaveText("This email is already on our waitlist!");
  await expect(email).toHaveValue("ADA@example.COM");
  await expect(email).toBeFocused();
});

test("the success message goes away after five seconds, and the form can be used again", async ({ page, site }) => {
  await page.clock.install({ time: 0 });
  await openHydrated(page, site.url);
  // From here on time passes only when the test says so.
  await page.clock.pauseAt(3_600_000);
  const { message } = formOn(page);
  await formOn(page).submit("five-seconds@example.com");
  await expect(message).toHaveText("Thanks for joining! Please check your email.");
  await page.clock.runFor(4_990);
  await expect(message).toHaveText("Thanks for joining! Please check your email.");
  await page.clock.runFor(10);
  await expect(message).toHaveText("");
  await formOn(page).submit("five-seconds@example.com");
  await expect(message).toHaveText("This email is already on our waitlist!");
});

test("an invalid address: the specification's words, no loading, and no request leaves the browser", async ({
  page,
  site,
}) => {
  await openHydrated(page, site.url);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const { email, message, button } = formOn(page);
  const labels = await watchLabels(page);
  await formOn(page).submit("ada@example");

  await expect(message).toHaveText("Please enter a valid email address");
  await expect(email).toHaveValue("ada@example");
  await expect(email).toHaveAttribute("aria-invalid", "true");
  await expect(email).toHaveAccessibleDescription("Please enter a valid email address");
  await expect(button).toHaveText("Join Waitlist");
  expect(await labels()).not.toContain("Joining...");
  expect(requests).toEqual([]);
});

test("while it is sent: 'Joining...' with a spinner, and the button cannot be pressed twice", async ({
  page,
  site,
}) => {
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

test("a good address after one that the server refused before the script was there: the field is empty", async ({
  page,
  site,
}) => {
  const held = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(site.url, { waitUntil: "commit" });
  await formOn(page).submit("ada@example");
  await expect(formOn(page).message).toHaveText("Please enter a valid email address");
  await expect(formOn(page).email).toHaveValue("ada@example");
  held.resolve();
  await untilHydrated(page);
  await formOn(page).submit("late-script@example.com");
  await expect(formOn(page).message).toHaveText("Thanks for joining! Please check your email.");
  await expect(formOn(page).email).toHaveValue("");
});

test("the same mistake twice is told twice, and seen on a low screen", async ({ page, site }) => {
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
  const told = (await changes.jsonValue()).filter((text) => text !== "");
  expect(told.length).toBeGreaterThanOrEqual(2);
});

test("no connection: a sentence, and the typed value kept", async ({ page, site }) => {
  await openHydrated(page, site.url);
  await page.route("**/api/signup", (route) => route.abort());
  const { email, message } = formOn(page);
  await formOn(page).submit("offline@example.com");
  await expect(message).toContainText("could not reach our server");
  await expect(email).toHaveValue("offline@example.com");
});

test("a welcome mail that cannot be asked for is logged in the console, and the sign-up stands", async ({
  page,
  site,
}) => {
  await openHydrated(page, site.url);
  await page.route("**/api/send-welcome", (route) => route.fulfill({ status: 502, body: "no mail today" }));
  const logged = page.waitForEvent("console", (entry) => entry.text().includes("Welcome e-mail failed"));
  await formOn(page).submit("no-mail@example.com");
  await expect(formOn(page).message).toHaveText("Thanks for joining! Please check your email.");
  expect((await logged).text()).toContain("no mail today");
});

test("a browser that goes away before asking for the mail: the sweep sends it", async ({ page, site }) => {
  await openHydrated(page, site.url);
  await page.route("**/api/send-welcome", (route) => route.abort());
  await formOn(page).submit("gone@example.com");
  await expect(formOn(page).message).toHaveText("Thanks for joining! Please check your email.");
  await page.close();

  const mails = async () => (await site.sentMail()).filter(({ to }) => to.includes("gone@example.com"));
  expect(await mails()).toHaveLength(0);
  await site.sweep();
  expect(await mails()).toHaveLength(1);
});

test("the campaign of the first page survives going elsewhere on the site and coming back", async ({ page, site }) => {
  await openHydrated(page, `${site.url}/?utm_source=newsletter`);
  await page.evaluate(() => history.replaceState(history.state, "", "/"));
  await formOn(page).submit("returning@example.com");
  await expect(formOn(page).message).toHaveText("Thanks for joining! Please check your email.");
  const entries = (await site.rows("waitlist_emails")).filter((row) => row["email"] === "returning@example.com");
  expect(entries).toMatchObject([{ utm_source: "newsletter" }]);
});

test("the 31st sign-up in a minute from one client: the form says so kindly", async ({ page, site }) => {
  await openHydrated(page, site.url);
  const { statuses, shown, kept } = await withinOneMinute(async (run) => {
    const headers = { "CF-Connecting-IP": `198.51.100.${run}` };
    await page.setExtraHTTPHeaders(headers);
    const statuses: number[] = [];
    for (let n = 0; n < 30; n += 1) {
      const data = { email: `r${run}n${n}@example.com` };
      statuses.push((await page.request.post(`${site.url}/api/signup`, { headers, data })).status());
    }
    const answered = page.waitForResponse("**/api/signup");
    await formOn(page).submit(`run${run}@example.com`);
    statuses.push((await answered).status());
    await expect(formOn(page).message).not.toBeEmpty();
    return { statuses, shown: await formOn(page).message.textContent(), kept: await formOn(page).email.inputValue() };
  });
  expect(statuses).toEqual([...Array(30).fill(201), 429]);
  expect(shown).toContain("Please wait a minute");
  expect(kept).toMatch(/^run\d+@example\.com$/);
});

test("a database that fails: the sentence with its reference, which is found in the log, and the typed value kept", async ({
  page,
}) => {
  const broken = await startSite({ migrated: false });
  try {
    await openHydrated(page, broken.url);
    await formOn(page).submit("ada@example.com");
    await expect(formOn(page).message).toContainText("something went wrong on our side");
    await expect(formOn(page).email).toHaveValue("ada@example.com");
    const shown = (await formOn(page).message.textContent()) ?? "";
    expect(shown).not.toContain("no such table");
    const reference = /Reference (\w{4}-\w{4})/.exec(shown)?.[1] ?? "none";
    // The terminal is told a moment after the visitor.
    const logged = () =>
      broken
        .output()
        .split("\n")
        .find((printed) => printed.includes(reference));
    await expect.poll(logged).toContain("no such table");
    expect(broken.output()).not.toContain("ada@example.com");
  } finally {
    await broken.stop();
  }
});

/** Notes every text that the form's button shows from now on. */
async function watchLabels(page: Page): Promise<() => Promise<string[]>> {
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
