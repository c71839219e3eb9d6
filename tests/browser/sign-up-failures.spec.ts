import { startSite } from "#scripts/lib/running-site.ts";
import { formOn, openHydrated } from "#tests/support/browser/sign-up-form.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { withinOneMinute } from "#tests/support/minute.ts";

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

  const mails = async () => (await site.sentEmails()).filter(({ to }) => to.includes("gone@example.com"));
  expect(await mails()).toHaveLength(0);
  await site.sweep();
  expect(await mails()).toHaveLength(1);
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
