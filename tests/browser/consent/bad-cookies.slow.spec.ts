import { bannerOn, cookieNames, expect, open, savedChoice, test } from "#tests/support/browser/consent.ts";

for (const [what, value, isLogged] of [
  ["broken JSON", '{"necessary":true,"analytics":tr', true],
  ["markup", "<img src=x onerror=alert(1)>", true],
  ["made under another version of the policy", '{"necessary":true,"analytics":true,"marketing":true,"v":0}', false],
] as const) {
  test(`a saved choice that is ${what} lets nothing load, and is made again`, async ({
    page,
    context,
    site,
    thirdParties,
  }) => {
    await context.addCookies([{ name: "cookiePreferences", value: encodeURIComponent(value), url: site.url }]);
    const errors: string[] = [];
    page.on("console", (entry) => void (entry.type() === "error" && errors.push(entry.text())));
    page.on("pageerror", (error) => errors.push(error.message));
    await open(page, site.url);

    await expect(bannerOn(page).region).toBeVisible();
    await bannerOn(page).categories.click();
    await expect(bannerOn(page).toggle("Analytics")).not.toBeChecked();
    expect(errors).toEqual(isLogged ? [expect.stringContaining("could not be read")] : []);
    expect(site.output()).not.toContain(value.slice(0, 12));
    expect(await page.content()).not.toContain(value.slice(0, 12));
    expect(thirdParties.requests).toEqual([]);

    await bannerOn(page).decline.click();
    await expect.poll(() => savedChoice(context)).toMatchObject({ analytics: false, marketing: false });
    expect(await cookieNames(context)).toEqual(["cookiePreferences"]);
  });
}
