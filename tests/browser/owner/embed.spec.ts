import { formHtml } from "#app/owner/embed/form-html.ts";
import { newsOnly } from "#app/waitlist/consent-wording.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";

needs("embed");

test("a site is allowed and removed with the keyboard, and the form is copied with a name of its own", async ({
  owner: page,
  site,
}) => {
  await page.goto(`${site.url}/owner`);
  await page.getByRole("navigation", { name: "Owner" }).getByRole("link", { name: "Connect" }).click();
  await page.getByRole("navigation", { name: "Connect" }).getByRole("link", { name: "Forms on other sites" }).click();
  await page.getByLabel("Address of the site").fill("https://Shop.example/about?x=1");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toHaveText("The site is allowed. Forms on it can add people from now on.");
  const row = page.getByRole("row", { name: "https://shop.example" });
  await expect(row).toBeVisible();

  await page.getByLabel("Name of the form").fill("Summer shop");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Name of the form")).toHaveValue("summer_shop");
  const html = page.getByLabel("HTML to copy");
  await expect(html).toHaveValue(formHtml(site.url, "summer_shop", newsOnly));
  await html.focus();
  await page.keyboard.press("ControlOrMeta+A");
  expect(await page.evaluate(() => getSelection()?.toString().trim())).toMatch(/^<form .*<\/form>$/s);
  await page.keyboard.press("x");
  await expect(html).toHaveValue(formHtml(site.url, "summer_shop", newsOnly));

  await row.getByRole("button", { name: "Remove" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toHaveText("The site is removed. Forms on it can no longer add people.");
  await expect(row).toHaveCount(0);
});
