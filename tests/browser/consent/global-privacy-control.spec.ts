import { bannerOn, expect, savedChoice, test } from "#tests/support/browser/consent.ts";

test.beforeEach(async ({ context, extraHTTPHeaders }) => {
  await context.setExtraHTTPHeaders({ ...extraHTTPHeaders, "Sec-GPC": "1" });
  await context.addInitScript(() => Object.defineProperty(navigator, "globalPrivacyControl", { value: true }));
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("the banner mentions GPC, and Accept All omits marketing unless it is switched on by hand", async ({
      page,
      context,
      site,
      thirdParties,
    }) => {
      await page.goto(site.url);
      const { region, accept, acceptSelected, settings, toggle } = bannerOn(page);
      await expect(region).toContainText("Global Privacy Control");
      await accept.click();
      await expect(region).toBeHidden();
      await expect.poll(() => savedChoice(context)).toMatchObject({ analytics: true, marketing: false });
      await expect.poll(() => thirdParties.callsOf("gtag").length).toBe(javaScriptEnabled ? 5 : 0);
      expect(thirdParties.requests.filter((request) => request.includes("facebook"))).toEqual([]);

      await settings.click();
      await toggle("Marketing").check();
      await acceptSelected.click();
      await expect.poll(() => savedChoice(context)).toMatchObject({ marketing: true });
    });
  });
}
