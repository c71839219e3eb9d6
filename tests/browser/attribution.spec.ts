import { hydrate } from "#scripts/lib/hydrated.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { formOn } from "#tests/support/browser/sign-up-form.ts";
import { expect, test } from "#tests/support/browser/test.ts";

const NEWS = "http://news.example";

for (const hydrated of [false, true]) {
  test(`a sign-up records the campaign and the referring host, even from a second page ${hydrated ? "after" : "without"} hydration`, async ({
    page,
    site,
  }) => {
    needs("roadmap");
    await page.route(`${NEWS}/**`, (route) =>
      route.fulfill({ contentType: "text/html", body: `<a href="${site.url}/?utm_source=fair">A new market</a>` }),
    );
    await page.goto(`${NEWS}/stories/market?reader=ada`);
    await page.getByRole("link").click();
    // Until each page is loaded: its last element, a script, adds the campaign to the links and forms.
    await page.waitForURL(({ host }) => host === new URL(site.url).host);
    if (hydrated) await hydrate(page);
    await page.getByRole("banner").getByRole("link", { name: "Roadmap" }).click();
    await page.waitForURL(({ pathname }) => pathname === "/roadmap");
    await page.getByRole("banner").getByRole("link", { name: "Join Waitlist" }).click();
    await page.waitForURL(({ pathname }) => pathname === "/");
    expect(await page.evaluate(() => window.isHydrated ?? false)).toBe(hydrated);
    const email = `from-the-news-${hydrated}@example.com`;
    await formOn(page).submit(email);
    await expect(formOn(page).message).toHaveText("Thanks for joining! Please check your email.");

    const entries = await site.rows("waitlist_emails");
    expect(entries.find((entry) => entry["email"] === email)).toMatchObject({
      referrer_host: "news.example",
      utm_source: "fair",
    });
  });
}

test("without a campaign links stay as they are, and nothing is stored", async ({ page, context, site }) => {
  needs("roadmap");
  await page.goto(site.url);
  const links = await page
    .getByRole("contentinfo")
    .getByRole("link")
    .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(links).toContain("/roadmap");
  await page.goto(`${site.url}/?utm_source=fair`);
  await expect(page.getByRole("contentinfo").getByRole("link", { name: "Roadmap" })).toHaveAttribute(
    "href",
    /utm_source=fair/,
  );
  expect((await context.storageState()).origins).toEqual([]);
  expect(await context.cookies()).toEqual([]);
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
  await hydrate(page);
  await formOn(page).submit("outlives@example.com");
  await expect(page.locator("html")).toHaveAttribute("data-keepalive", "true");
  await page.close();
  const emails = async () => (await site.sentEmails()).filter(({ to }) => to.includes("outlives@example.com"));
  await expect.poll(emails).toHaveLength(1);
});
