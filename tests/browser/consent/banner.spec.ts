import { bannerOn, expect, open, savedChoice, test } from "#tests/support/browser/consent.ts";

test("screen readers get a named region with a closed list, a link and three buttons", async ({ page, site }) => {
  await open(page, site.url);
  const { region, categories } = bannerOn(page);
  await expect(region).toContainText(/measure site use.*adverts/);
  await expect(region).toMatchAriaSnapshot(`
    - region "Cookie preferences":
      - paragraph
      - link "Cookie policy"
      - group
      - button "Decline All"
      - button "Accept Selected"
      - button "Accept All"
  `);
  await categories.click();
  await expect(region.getByRole("checkbox")).toHaveCount(3);
  await expect(bannerOn(page).toggle("Necessary")).toBeDisabled();
  await expect(bannerOn(page).toggle("Marketing")).toHaveAccessibleDescription(/adverts/);
});

test("a skip link leads to the banner, which works by keyboard", async ({ page, context, site }) => {
  await open(page, site.url);
  const banner = bannerOn(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.locator("a[href='#consent']")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#consent$/);
  await page.keyboard.press("Tab");
  await expect(banner.region.getByRole("link", { name: "Cookie policy" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(banner.categories).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(banner.toggle("Analytics")).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(banner.toggle("Analytics")).toBeFocused();
  await page.keyboard.press("Space");
  await expect(banner.toggle("Analytics")).toBeChecked();
  await page.keyboard.press("Tab");
  await expect(banner.toggle("Marketing")).toBeFocused();
  for (const button of [banner.decline, banner.acceptSelected]) {
    await page.keyboard.press("Tab");
    await expect(button).toBeFocused();
  }
  await page.keyboard.press("Enter");
  await expect(banner.region).toBeHidden();
  await expect.poll(() => savedChoice(context)).toMatchObject({ analytics: true, marketing: false });
});

test("opened from the footer, the banner takes the focus and returns it after the choice", async ({ page, site }) => {
  await open(page, site.url);
  const { decline, settings, region } = bannerOn(page);
  await decline.click();
  await settings.focus();
  await page.keyboard.press("Enter");
  await expect(region).toBeFocused();
  await decline.focus();
  await page.keyboard.press("Enter");
  await expect(region).toBeHidden();
  await expect(settings).toBeFocused();
});
