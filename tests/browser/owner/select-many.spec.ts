import { expectFinePage } from "#tests/support/browser/fine-page.ts";
import { onEveryDevice } from "#tests/support/browser/on-every-device.ts";
import { expectToFit } from "#tests/support/browser/owner-layout.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";

onEveryDevice(({ name, javaScriptEnabled }) => {
  test(
    "everyone with a filter is unsubscribed, and put back",
    slowUnless(name === "phone" && !javaScriptEnabled),
    async ({ owner: page, site }) => {
      const campaign = `bulk_${name}_${javaScriptEnabled}`;
      for (const person of ["ada", "bob"]) {
        const data = { email: `${person}-${campaign}@example.com`, utm_campaign: campaign };
        expect((await page.request.post(`${site.url}/api/signup`, { data })).status()).toBe(201);
      }
      const statuses = async () =>
        (await site.rows("waitlist_emails"))
          .filter(({ utm_campaign }) => utm_campaign === campaign)
          .map(({ status }) => status);
      const isAccessible = () => expectFinePage(page, javaScriptEnabled);
      await page.goto(`${site.url}/owner/entries?utm_campaign=${campaign}`);
      await page.getByRole("link", { name: "Select all that match" }).press("Enter");
      await expect(page.locator("main")).toContainText("2 entries on the list match:");
      await isAccessible();
      await page.getByRole("link", { name: "Unsubscribe", exact: true }).click();
      const count = page.getByRole("textbox", { name: "To confirm, type the number of entries (2)" });
      await count.fill("3");
      await count.press("Enter");
      await expect(page.getByRole("alert")).toContainText("This would unsubscribe 2 entries.");
      expect(await statuses()).toEqual(["active", "active"]);
      await isAccessible();
      await count.fill("2");
      await page.getByRole("button", { name: "Unsubscribe these entries" }).click();
      await page.waitForURL(/\/owner\/bulk\/\d+$/);
      await expect(async () => {
        await page.reload();
        await expect(page.getByText("2 entries were unsubscribed.")).toBeVisible({ timeout: 500 });
      }).toPass();
      expect(await statuses()).toEqual(["unsubscribed", "unsubscribed"]);
      const undo = page.getByRole("button", { name: "Put 2 entries back" });
      await expect(undo).toBeHidden();
      await page.locator("summary", { hasText: "Undo" }).press("Enter");
      await isAccessible();
      await undo.click();
      await expect(async () => {
        await page.reload();
        await expect(page.getByText("2 entries were put back.")).toBeVisible({ timeout: 500 });
      }).toPass();
      expect(await statuses()).toEqual(["active", "active"]);
    },
  );
});

test(
  "the pages are valid, accessible, and fit every width in both colour schemes",
  slow,
  async ({ owner: page, site }) => {
    for (const path of ["select", "unsubscribe"]) {
      await expectToFit(page, `${site.url}/owner/entries/${path}?utm_campaign=autumn_fair&without=referrer_host`);
    }
  },
);
