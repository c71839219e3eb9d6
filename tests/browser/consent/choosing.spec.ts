import { bannerOn, expect, open, savedChoice, signUp, test } from "#tests/support/browser/consent.ts";
import { scriptUrls } from "#tests/support/browser/third-parties.ts";
import { JOINED, ticketOn } from "#tests/support/browser/ticket.ts";

const YEAR = 365 * 24 * 3600;

test("Accept Selected is saved, applied, and shown after a reload", async ({ page, context, site, thirdParties }) => {
  await open(page, site.url);
  const banner = bannerOn(page);
  await banner.categories.click();
  await banner.toggle("Analytics").check();
  await banner.acceptSelected.click();
  await expect(banner.region).toBeHidden();
  await expect.poll(() => savedChoice(context)).toEqual({ necessary: true, analytics: true, marketing: false });
  const scripts = scriptUrls.filter((url) => !url.includes("facebook")).toSorted();
  const loaded = () => thirdParties.requests.filter((request) => scriptUrls.includes(request)).toSorted();
  await expect.poll(loaded).toEqual(scripts);

  thirdParties.requests.length = 0;
  await page.goto(site.url, { waitUntil: "networkidle" });
  await expect.poll(loaded).toEqual(scripts);
  await banner.settings.click();
  await expect(banner.toggle("Necessary")).toBeDisabled();
  await expect(banner.toggle("Necessary")).toBeChecked();
  await expect(banner.toggle("Analytics")).toBeChecked();
  await expect(banner.toggle("Marketing")).not.toBeChecked();
});

for (const { javaScriptEnabled, button, saved } of [
  { javaScriptEnabled: true, button: "Decline All", saved: { analytics: false, marketing: false } },
  { javaScriptEnabled: false, button: "Decline All", saved: { analytics: false, marketing: false } },
  { javaScriptEnabled: false, button: "Accept All", saved: { analytics: true, marketing: true } },
]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test(`${button} sets a cookie for 365 days, and no page shows the banner again`, async ({
      page,
      context,
      site,
    }) => {
      await page.goto(`${site.url}/privacy?utm_source=leaflet`);
      await page.getByRole("button", { name: button }).click();
      await expect(bannerOn(page).region).toBeHidden();
      await expect(page).toHaveURL(`${site.url}/privacy?utm_source=leaflet`);
      await expect.poll(() => savedChoice(context)).toMatchObject(saved);

      const cookie = (await context.cookies()).find(({ name }) => name === "cookiePreferences");
      expect(cookie).toMatchObject({ path: "/", sameSite: "Lax", httpOnly: false, secure: false });
      expect(Math.abs((cookie?.expires ?? 0) - (Date.now() / 1000 + YEAR))).toBeLessThan(3_600);
      for (const path of ["/", "/no-such-page"]) {
        await page.goto(`${site.url}${path}`);
        await expect(bannerOn(page).settings).toBeVisible();
        await expect(bannerOn(page).region).toBeHidden();
      }
    });
  });
}

test("a choice is saved with a warning if the server is unreachable", async ({ page, context, site }) => {
  await open(page, site.url);
  await page.route("**/cookie-policy", (route) => route.abort());
  const warned = page.waitForEvent("console", (entry) => entry.text().includes("Failed to fetch"));
  await bannerOn(page).decline.click();
  expect((await warned).type()).toBe("warning");
  await expect.poll(() => savedChoice(context)).toMatchObject({ analytics: false, marketing: false });
  await page.reload();
  await expect(bannerOn(page).settings).toBeVisible();
  await expect(bannerOn(page).region).toBeHidden();
});

test.describe("an ad blocker", () => {
  test.use({ blocked: true });

  test("causes warnings but no errors, and the sign-up works", async ({ page, site }) => {
    const errors: string[] = [];
    const warnings: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (entry) => void (entry.type() === "warning" && warnings.push(entry.text())));
    await open(page, `${site.url}/?utm_source=fb_ads`);
    await bannerOn(page).accept.click();
    await expect.poll(() => warnings.filter((text) => text.includes("Tracking script not loaded"))).toHaveLength(3);
    await signUp(page, "blocked@example.com");
    await expect(page.locator("#join").getByRole("status")).toHaveText(JOINED);
    // It moves what follows as it appears.
    await expect(ticketOn(page)).toBeVisible();
    await page.locator("[aria-labelledby=ways] a[href*='/survey?']").click();
    await expect(page).toHaveURL(/\/survey\?utm_source=fb_ads$/);
    expect(errors).toEqual([]);
  });
});
