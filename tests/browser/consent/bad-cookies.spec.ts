import { bannerOn, cookieNames, expect, open, savedChoice, test } from "#tests/support/browser/consent.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";

const broken = {
  "broken JSON": '{"necessary":true,"analytics":tr',
  "an array": "[true,true,true]",
  "4 KB of text": "x".repeat(4_000),
  "text where a boolean belongs": '{"analytics":"yes"}',
  markup: "<img src=x onerror=alert(1)>",
};

for (const [what, value] of Object.entries(broken)) {
  test(
    `${what} as the saved choice is ignored and logged without its content`,
    slowUnless(what === "broken JSON"),
    async ({ page, context, site, thirdParties }) => {
      await context.addCookies([{ name: "cookiePreferences", value: encodeURIComponent(value), url: site.url }]);
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      const logged = page.waitForEvent("console", (entry) => entry.text().includes("could not be read"));
      await open(page, site.url);

      await expect(bannerOn(page).region).toBeVisible();
      await bannerOn(page).categories.click();
      await expect(bannerOn(page).toggle("Analytics")).not.toBeChecked();
      expect((await logged).type()).toBe("error");
      expect(site.output()).not.toContain(value.slice(0, 12));
      expect(await page.content()).not.toContain(value.slice(0, 12));
      expect(thirdParties.requests).toEqual([]);
      expect(errors).toEqual([]);

      await bannerOn(page).decline.click();
      await expect.poll(() => savedChoice(context)).toMatchObject({ analytics: false, marketing: false });
      expect(await cookieNames(context)).toEqual(["cookiePreferences"]);
    },
  );
}

test(
  "a choice made under another version of the policy must be made again",
  slow,
  async ({ page, context, site, thirdParties }) => {
    const value = encodeURIComponent('{"necessary":true,"analytics":true,"marketing":true,"v":0}');
    await context.addCookies([{ name: "cookiePreferences", value, url: site.url }]);
    await open(page, site.url);
    await expect(bannerOn(page).region).toBeVisible();
    expect(thirdParties.requests).toEqual([]);
  },
);
