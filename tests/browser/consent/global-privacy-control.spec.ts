import { bannerOn, expect, open, savedChoice, test } from "#tests/support/browser/consent.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";

test.beforeEach(async ({ context, extraHTTPHeaders }) => {
  await context.setExtraHTTPHeaders({ ...extraHTTPHeaders, "Sec-GPC": "1" });
  await context.addInitScript(() => Object.defineProperty(navigator, "globalPrivacyControl", { value: true }));
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test(
      "the banner mentions GPC, and Accept All omits marketing",
      slowUnless(javaScriptEnabled),
      async ({ page, context, site, thirdParties }) => {
        await page.goto(site.url);
        if (javaScriptEnabled) await open(page, site.url);
        await expect(bannerOn(page).region).toContainText("Global Privacy Control");
        await bannerOn(page).accept.click();
        await expect(bannerOn(page).region).toBeHidden();
        await expect.poll(() => savedChoice(context)).toMatchObject({ analytics: true, marketing: false });
        await expect.poll(() => thirdParties.callsOf("gtag").length).toBe(javaScriptEnabled ? 5 : 0);
        expect(thirdParties.requests.filter((request) => request.includes("facebook"))).toEqual([]);
      },
    );

    for (const button of ["Accept All", "Accept Selected"]) {
      test(`${button} respects a marketing toggle switched on by hand`, slow, async ({ page, context, site }) => {
        await page.goto(site.url);
        if (javaScriptEnabled) await open(page, site.url);
        await bannerOn(page).categories.click();
        await bannerOn(page).toggle("Marketing").check();
        await page.getByRole("button", { name: button }).click();
        await expect.poll(() => savedChoice(context)).toMatchObject({ marketing: true });
      });
    }
  });
}
