import { sidewaysScroll, violations } from "#tests/support/browser/measure.ts";
import { onEveryDevice } from "#tests/support/browser/on-every-device.ts";
import { expectToFit } from "#tests/support/browser/owner-layout.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";

onEveryDevice(({ name, javaScriptEnabled }) => {
  test(
    "a view is saved, opened, used for an export, renamed and deleted",
    slowUnless(name === "phone" && !javaScriptEnabled),
    async ({ owner: page, site }) => {
      const view = `Newsletter, ${name} ${javaScriptEnabled}`;
      // The checker is a script.
      const isAccessible = async () => javaScriptEnabled && expect(await violations(page)).toEqual([]);
      await page.goto(`${site.url}/owner/entries?utm_source=newsletter&order=oldest`);
      const listed = await page.locator("caption").textContent();
      await page.getByRole("link", { name: "Save this view" }).click();
      const nameField = page.locator("#name");
      await nameField.fill("  ");
      await page.getByRole("button", { name: "Save view" }).click();
      await expect(page.getByRole("alert")).toHaveText("Give the view a name.");
      await isAccessible();
      await nameField.fill(view);
      await nameField.press("Enter");
      await page.waitForURL(/done=view-saved$/);
      await page.goto(`${site.url}/owner/entries`);
      const chip = page.getByRole("navigation", { name: "Parts of the list" }).getByRole("link", { name: view });
      await chip.click();
      await page.waitForURL(/utm_source=newsletter&order=oldest$/);
      await expect(chip).toHaveAttribute("aria-current", "page");
      await expect(chip).toBeVisible();
      expect(await page.locator("caption").textContent()).toBe(listed);
      expect(await sidewaysScroll(page)).toBe(0);
      await isAccessible();

      await page.goto(`${site.url}/owner/export`);
      await page.getByLabel("Use a saved view").selectOption(view);
      await page.getByRole("button", { name: "Use", exact: true }).click();
      await page.waitForURL(/\/owner\/export\?utm_source=newsletter&order=oldest$/);
      await expect(page.locator("main")).toContainText("Campaign source: newsletter");

      await page.goto(`${site.url}/owner/entries/views`);
      const panel = page.locator(".views li").filter({ has: page.getByRole("link", { name: view }) });
      await panel.getByLabel("Name").fill(`${view}!`);
      await panel.getByRole("button", { name: "Rename" }).click();
      await expect(page.getByRole("status")).toHaveText("The view is renamed.");
      const renamed = page.locator(".views li").filter({ has: page.getByRole("link", { name: `${view}!` }) });
      await renamed.locator("summary").press("Enter");
      await isAccessible();
      await renamed.getByRole("button", { name: "Delete this view" }).click();
      await expect(page.getByRole("status")).toHaveText("The view is deleted.");
      await expect(page.getByRole("link", { name: `${view}!` })).toHaveCount(0);
    },
  );
});

test(
  "the page is valid, accessible, and fits every width in both colour schemes",
  slow,
  async ({ owner: page, site }) => {
    const views = `${site.url}/owner/entries/views`;
    await page.goto(`${views}?utm_source=poster`);
    await page.locator("#name").fill("A name of fifty characters, which is the longest...");
    await page.getByRole("button", { name: "Save view" }).click();
    await page.waitForURL(/done=view-saved$/);
    await expectToFit(page, `${views}?source=landing_page`);
    await page.goto(views);
    await page.locator(".views summary").last().click();
    await page.getByRole("button", { name: "Delete this view" }).last().click();
    await page.waitForURL(/done=view-deleted/);
  },
);
