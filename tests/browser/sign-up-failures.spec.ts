import { messages, UNREACHABLE } from "#app/waitlist/messages.ts";
import { startSite } from "#scripts/lib/running-site.ts";
import { formOn, openHydrated } from "#tests/support/browser/sign-up-form.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { withinOneMinute } from "#tests/support/minute.ts";

test("without a connection the form shows an error and keeps the typed address", async ({ page, site }) => {
  await openHydrated(page, site.url);
  await page.route("**/api/signup", (route) => route.abort());
  const { email, message } = formOn(page);
  await formOn(page).submit("offline@example.com");
  await expect(message).toHaveText(UNREACHABLE);
  await expect(email).toHaveValue("offline@example.com");
});

test("a page that breaks during a sign-up says what came of it, and not that anything is logged", async ({
  page,
  site,
}) => {
  await openHydrated(page, site.url);
  const held = Promise.withResolvers<void>();
  await page.route("**/api/signup", async (route) => {
    await held.promise;
    await route.continue();
  });
  // As an extension could. React finds no place for the spinner.
  await formOn(page).button.evaluate((button) => button.replaceChildren());
  await formOn(page).submit("broken-page@example.com");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
  await expect(main).not.toContainText("logged");
  held.resolve();
  await expect(main.getByRole("status")).toHaveText("Thanks for joining! Please check your email.");
  expect((await site.rows("waitlist_emails")).map(({ email }) => email)).toContain("broken-page@example.com");
});

test(
  "a link followed without a connection says nothing of an earlier sign-up, nor that anything is logged",
  slow,
  async ({ page, site }) => {
    await openHydrated(page, site.url);
    await formOn(page).submit("joined-before@example.com");
    await expect(formOn(page).message).toHaveText("Thanks for joining! Please check your email.");
    await page.route("**/*.data*", (route) => route.abort());
    await page.getByRole("contentinfo").getByRole("link", { name: "Privacy policy" }).click();
    await expect(page.getByRole("main")).toContainText("Please check your connection");
    await expect(page.getByRole("main")).not.toContainText(/logged|Thanks for joining/);
  },
);

test("a failed request for the welcome email is logged, and the sign-up succeeds", slow, async ({ page, site }) => {
  await openHydrated(page, site.url);
  await page.route("**/api/send-welcome", (route) => route.fulfill({ status: 502, body: "no email today" }));
  const logged = page.waitForEvent("console", (entry) => entry.text().includes("Welcome email failed"));
  await formOn(page).submit("no-email@example.com");
  await expect(formOn(page).message).toHaveText("Thanks for joining! Please check your email.");
  expect((await logged).text()).toContain("no email today");
});

test("the sweep sends the welcome email if the browser leaves without requesting it", slow, async ({ page, site }) => {
  await openHydrated(page, site.url);
  await page.route("**/api/send-welcome", (route) => route.abort());
  await formOn(page).submit("gone@example.com");
  await expect(formOn(page).message).toHaveText("Thanks for joining! Please check your email.");
  await page.close();

  const emails = async () => (await site.sentEmails()).filter(({ to }) => to.includes("gone@example.com"));
  expect(await emails()).toHaveLength(0);
  await site.sweep();
  expect(await emails()).toHaveLength(1);
});

test("the 31st sign-up in a minute from one client is asked to wait", slow, async ({ page, site }) => {
  await openHydrated(page, site.url);
  const { statuses, shown, typed } = await withinOneMinute(async (run) => {
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
    return { statuses, shown: await formOn(page).message.textContent(), typed: await formOn(page).email.inputValue() };
  });
  expect(statuses).toEqual([...Array(30).fill(201), 429]);
  expect(shown).toBe(messages["rate-limited"]);
  expect(typed).toMatch(/^run\d+@example\.com$/);
});

test("a database error shows a reference that is logged, and keeps the typed address", slow, async ({ page }) => {
  const broken = await startSite({ migrated: false });
  try {
    await openHydrated(page, broken.url);
    await formOn(page).submit("ada@example.com");
    await expect(formOn(page).message).toContainText(/Reference \w{4}-\w{4}/);
    await expect(formOn(page).email).toHaveValue("ada@example.com");
    const shown = (await formOn(page).message.textContent()) ?? "";
    expect(shown).not.toContain("no such table");
    const reference = /Reference (\w{4}-\w{4})/.exec(shown)?.[1] ?? "none";
    // The log line is printed shortly after the response.
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
