import { untilHydrated } from "#scripts/lib/hydrated.ts";
import { formOn } from "#tests/support/browser/sign-up-form.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

const NEWS = "http://news.example";

test("a sign-up records the referring site's host, even from a second page", async ({ page, site }) => {
  await page.route(`${NEWS}/**`, (route) =>
    route.fulfill({ contentType: "text/html", body: `<a href="${site.url}/?utm_source=fair">A new market</a>` }),
  );
  await page.goto(`${NEWS}/stories/market?reader=ada`);
  await page.getByRole("link").click();
  await untilHydrated(page);
  await page.getByRole("banner").getByRole("link", { name: "Roadmap" }).click();
  await expect(page).toHaveURL(`${site.url}/roadmap`);
  await page.getByRole("banner").getByRole("link", { name: "Join Waitlist" }).click();
  await formOn(page).submit("from-the-news@example.com");
  await expect(formOn(page).message).toHaveText("Thanks for joining! Please check your email.");

  const entries = await site.rows("waitlist_emails");
  expect(entries.find(({ email }) => email === "from-the-news@example.com")).toMatchObject({
    referrer_host: "news.example",
    utm_source: "fair",
  });
});

test("a direct visitor's sign-up has no referrer host", slow, async ({ page, site }) => {
  await page.goto(`${site.url}/roadmap`);
  await page.getByRole("banner").getByRole("link", { name: "Join Waitlist" }).click();
  await untilHydrated(page);
  await formOn(page).submit("direct@example.com");
  await expect(formOn(page).message).toHaveText("Thanks for joining! Please check your email.");
  const entries = await site.rows("waitlist_emails");
  expect(entries.find(({ email }) => email === "direct@example.com")).toMatchObject({ referrer_host: null });
});

test("the welcome email request outlives the page", async ({ page, site }) => {
  // Check the flag itself: a request without it would usually win the race against closing the page.
  await page.addInitScript(() => {
    const send = window.fetch;
    window.fetch = (input, init) => {
      const request = new Request(input, init);
      if (request.url.endsWith("/api/send-welcome"))
        document.documentElement.dataset["keepalive"] = String(request.keepalive);
      return send(input, init);
    };
  });
  await page.goto(site.url);
  await untilHydrated(page);
  await formOn(page).submit("outlives@example.com");
  await expect(page.locator("html")).toHaveAttribute("data-keepalive", "true");
  await page.close();
  const emails = async () => (await site.sentEmails()).filter(({ to }) => to.includes("outlives@example.com"));
  await expect.poll(emails).toHaveLength(1);
});
