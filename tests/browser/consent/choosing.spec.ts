import { bannerOn, expect, JOINED, open, savedChoice, signUp, test } from "#tests/support/browser/consent.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";
import { scriptUrls } from "#tests/support/browser/third-parties.ts";

const YEAR = 365 * 24 * 3600;

for (const analytics of [false, true]) {
  for (const marketing of [false, true]) {
    const chosen = `analytics ${analytics ? "on" : "off"}, marketing ${marketing ? "on" : "off"}`;
    test(
      `Accept Selected with ${chosen} is saved, applied, and shown after a reload`,
      slow,
      async ({ page, context, site, thirdParties }) => {
        await open(page, site.url);
        const banner = bannerOn(page);
        await banner.categories.click();
        await banner.toggle("Analytics").setChecked(analytics);
        await banner.toggle("Marketing").setChecked(marketing);
        await banner.acceptSelected.click();
        await expect(banner.region).toBeHidden();
        await expect.poll(() => savedChoice(context)).toEqual({ necessary: true, analytics, marketing });
        const scripts = scriptUrls.filter((url) => (url.includes("facebook") ? marketing : analytics));
        const loaded = () => thirdParties.requests.filter((request) => scriptUrls.includes(request)).toSorted();
        await expect.poll(loaded).toEqual(scripts.toSorted());

        thirdParties.requests.length = 0;
        await page.goto(site.url, { waitUntil: "networkidle" });
        await expect.poll(loaded).toEqual(scripts.toSorted());
        await expect(banner.region).toBeHidden();
        await banner.settings.click();
        await expect(banner.toggle("Necessary")).toBeChecked();
        await expect(banner.toggle("Necessary")).toBeDisabled();
        await expect(banner.toggle("Analytics")).toBeChecked({ checked: analytics });
        await expect(banner.toggle("Marketing")).toBeChecked({ checked: marketing });
        await banner.acceptSelected.click();
        await expect(banner.region).toBeHidden();
        await expect.poll(() => savedChoice(context)).toMatchObject({ analytics, marketing });
      },
    );
  }
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    for (const { button, saved } of [
      { button: "Decline All", saved: { analytics: false, marketing: false } },
      { button: "Accept All", saved: { analytics: true, marketing: true } },
    ]) {
      test(
        `${button} sets a cookie for 365 days, and no page shows the banner again`,
        slowUnless(javaScriptEnabled && button === "Decline All"),
        async ({ page, context, site }) => {
          if (javaScriptEnabled) await open(page, `${site.url}/roadmap?utm_source=leaflet`);
          else await page.goto(`${site.url}/roadmap?utm_source=leaflet`);
          await page.getByRole("button", { name: button }).click();
          await expect(bannerOn(page).region).toBeHidden();
          await expect(page).toHaveURL(`${site.url}/roadmap?utm_source=leaflet`);
          await expect.poll(() => savedChoice(context)).toMatchObject(saved);

          const cookie = (await context.cookies()).find(({ name }) => name === "cookiePreferences");
          expect(cookie).toMatchObject({ path: "/", sameSite: "Lax", httpOnly: false, secure: false });
          expect(Math.abs((cookie?.expires ?? 0) - (Date.now() / 1000 + YEAR))).toBeLessThan(120);
          for (const path of ["/", "/privacy", "/no-such-page"]) {
            await page.goto(`${site.url}${path}`);
            await expect(bannerOn(page).settings).toBeVisible();
            await expect(bannerOn(page).region).toBeHidden();
          }
        },
      );
    }
  });
}

test("a choice is saved with a warning if the server is unreachable", slow, async ({ page, context, site }) => {
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

test.describe("an ad blocker", slow, () => {
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
    await page.locator("[aria-labelledby=ways] a[href*='/survey?']").click();
    await expect(page).toHaveURL(/\/survey\?utm_source=fb_ads$/);
    expect(errors).toEqual([]);
  });
});

test("services that throw on every call only cause warnings", slow, async ({ page, site }) => {
  await page.addInitScript(() => {
    const fail = () => {
      throw new Error("broken service");
    };
    Object.assign(window, { fbq: fail, dataLayer: Object.assign([], { push: fail }) });
  });
  const errors: string[] = [];
  const warnings: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (entry) => void (entry.type() === "warning" && warnings.push(entry.text())));
  await open(page, `${site.url}/?utm_source=fb_ads`);
  await bannerOn(page).accept.click();
  await expect.poll(() => warnings.filter((text) => text.includes("Tracking failed")).length).toBe(4);
  await signUp(page, "throwing@example.com");
  await expect(page.locator("#join").getByRole("status")).toHaveText(JOINED);
  expect(errors).toEqual([]);
});

test("tracking code that does not load only causes a warning", slow, async ({ page, site, thirdParties }) => {
  await page.route("**/assets/tags-*.js", (route) => route.abort(), { times: 1 });
  await open(page, site.url);
  const warned = page.waitForEvent("console", (entry) => entry.text().includes("Tracking failed"));
  await bannerOn(page).accept.click();
  expect((await warned).type()).toBe("warning");
  await signUp(page, "unfetched@example.com");
  await expect(page.locator("#join").getByRole("status")).toHaveText(JOINED);
  expect(thirdParties.requests).toEqual([]);
});
