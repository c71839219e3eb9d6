import { expectFinePage } from "#tests/support/browser/fine-page.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { onEveryDevice } from "#tests/support/browser/on-every-device.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { slowUnless } from "#tests/support/browser/slow.ts";

needs("letters");

onEveryDevice(({ name, javaScriptEnabled }) => {
  test(
    "an invitation is drafted for those who are selected, and its audience can take a saved view",
    slowUnless(name === "phone" && !javaScriptEnabled),
    async ({ owner: page, site }) => {
      const isFine = () => expectFinePage(page, javaScriptEnabled);
      const view = `Makers, ${name} ${javaScriptEnabled}`;
      // Each of these tests saves another filter on the site that they share.
      const from = `20${name === "phone" ? 20 : 21}-0${javaScriptEnabled ? 1 : 2}-01`;
      await page.goto(`${site.url}/owner/entries/views?utm_campaign=makers_post&status=active&from=${from}`);
      await page.locator("#name").fill(view);
      await page.getByRole("button", { name: "Save view" }).click();
      await page.waitForURL(/done=view-saved/);

      await page.goto(`${site.url}/owner/entries/select?utm_campaign=autumn_fair`);
      const people = /for the ([\d,]+) of them/.exec(await page.locator("#invite + p").innerText())?.[1] ?? "none";
      await page.getByRole("button", { name: "Draft an invitation" }).click();
      await page.waitForURL(/\/owner\/letters\/\d+\?done=invitation$/);
      await page.goto(`${page.url().replace(/\?.*/, "")}/audience`);
      const count = page.locator(".letter-count strong");
      await expect(count).toHaveText(people);
      await expect(page.getByRole("checkbox", { name: /Only people who were on the list then/ })).toBeChecked();
      await isFine();

      await page.getByLabel("Use a saved view").selectOption(view);
      await page.getByRole("button", { name: "Use", exact: true }).press("Enter");
      await page.waitForURL(/\/audience\?view=\d+$/);
      await expect(page.getByLabel("Campaign", { exact: true }).first()).toHaveValue("makers_post");
      await expect(page.locator(".message")).toContainText(`The choices below are those of the view “${view}”.`);
      await isFine();
      await page.getByRole("button", { name: "Update count" }).click();
      await page.waitForURL(/done=counted$/);
      await expect(count).not.toHaveText(people);
    },
  );
});
