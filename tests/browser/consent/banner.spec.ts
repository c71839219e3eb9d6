import { bannerOn, expect, open, savedChoice, test } from "#tests/support/browser/consent.ts";
import { slow } from "#tests/support/browser/slow.ts";

test("screen readers get a named region with a closed list, a link and three buttons", async ({ page, site }) => {
  await open(page, site.url);
  const { region, categories } = bannerOn(page);
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
  await expect(region.getByRole("list")).toMatchAriaSnapshot(`
    - list:
      - listitem:
        - text: Necessary
        - checkbox "Necessary" [checked] [disabled]
        - paragraph
      - listitem:
        - text: Analytics
        - checkbox "Analytics"
        - paragraph
      - listitem:
        - text: Marketing
        - checkbox "Marketing"
        - paragraph
  `);
  await expect(bannerOn(page).toggle("Marketing")).toHaveAccessibleDescription(/adverts/);
});

test("a skip link leads to the banner, which works by keyboard", slow, async ({ page, context, site }) => {
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

test("the banner does not trap the keyboard focus in either direction", slow, async ({ page, site }) => {
  await open(page, site.url);
  const { region, accept } = bannerOn(page);
  await accept.focus();
  await page.keyboard.press("Tab");
  await expect(region.locator(":focus")).toHaveCount(0);
  await region.getByRole("link", { name: "Cookie policy" }).focus();
  await page.keyboard.press("Shift+Tab");
  await expect(region.locator(":focus")).toHaveCount(0);
});

test(
  "opened from the footer, the banner takes the focus and returns it after the choice",
  slow,
  async ({ page, site }) => {
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
  },
);

test("showing and hiding the banner moves nothing on the page", slow, async ({ page, site }) => {
  await open(page, site.url);
  const { decline, settings, region } = bannerOn(page);
  const headings = page.locator("main h2");
  const positions = () => headings.evaluateAll((all) => all.map((heading) => heading.getBoundingClientRect().top));
  await page.mouse.wheel(0, 600);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(600);
  const before = await positions();
  await decline.click();
  await expect(region).toBeHidden();
  await expect.poll(positions).toEqual(before);
  await settings.evaluate((link: HTMLElement) => link.click());
  await expect(region).toBeVisible();
  await expect.poll(positions).toEqual(before);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the list opens, the toggles are saved, and the page reloads without the banner", async ({
    page,
    context,
    site,
  }) => {
    await page.goto(`${site.url}/roadmap`);
    const banner = bannerOn(page);
    await expect(banner.toggle("Analytics")).toBeHidden();
    await banner.categories.click();
    await expect(banner.toggle("Necessary")).toBeDisabled();
    await expect(banner.toggle("Necessary")).toBeChecked();
    await expect(banner.toggle("Analytics")).not.toBeChecked();
    await banner.toggle("Analytics").check();
    await banner.acceptSelected.click();
    await expect(page).toHaveURL(`${site.url}/roadmap`);
    await expect(banner.region).toBeHidden();
    await expect.poll(() => savedChoice(context)).toMatchObject({ analytics: true, marketing: false });
  });
});
