import type { Page } from "@playwright/test";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { slowUnless } from "#tests/support/browser/slow.ts";

for (const javaScriptEnabled of [true, false]) {
  test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test(
      "an entry can be found by its address, noted on, sent its email again, unsubscribed and erased",
      slowUnless(javaScriptEnabled),
      async ({ owner: page, site }) => {
        const address = `to-be-erased-${javaScriptEnabled}@example.com`;
        await page.request.post(`${site.url}/api/signup`, { data: { email: address } });
        await page.goto(`${site.url}/owner/entries`);
        await page.getByRole("searchbox").fill("TO-BE-ERASED");
        await page.getByRole("searchbox").press("Enter");
        await page.getByRole("link", { name: address }).click();
        await expect(page).toHaveURL(/\/owner\/entries\/\d+(\?|$)/);
        expect(page.url()).not.toContain("erased");
        const id = /entries\/(\d+)/.exec(page.url())?.[1];

        await page.locator("button[value=resend]").click();
        await expectDone(page, "resent");
        await expect
          .poll(async () => (await site.sentEmails()).filter(({ to }) => to.includes(address)))
          .toHaveLength(1);

        await page.getByRole("textbox", { name: "Your note on this person" }).fill("Met at the fair");
        await page.locator("button[value=note]").click();
        await expectDone(page, "noted");
        await expect(page.locator("textarea")).toHaveValue("Met at the fair");

        const unsubscribe = page.locator("button[value=unsubscribe]");
        await expect(unsubscribe).toBeHidden();
        await page.locator("details", { has: unsubscribe }).locator("summary").click();
        await unsubscribe.click();
        await expectDone(page, "unsubscribed");

        await page.getByRole("link", { name: "Back to the list" }).click();
        await expect(page.getByRole("searchbox")).toHaveValue("to-be-erased");
        await page.locator("nav a[href='/owner/entries']").click();
        await expect(page.getByRole("searchbox")).toHaveValue("");
        await expect(page.locator(".entry-table tbody tr")).toHaveCount(25);
        await page.goto(`${site.url}/owner/entries/${id}`);

        const erase = page.locator("button[value=erase]");
        await expect(erase).toBeHidden();
        await page.locator("details", { has: erase }).locator("summary").click();
        await erase.click();
        await expectDone(page, "erased");
        expect((await site.rows("waitlist_emails")).filter(({ email }) => email === address)).toEqual([]);
        // The local email binding prints recipients; the site's own log lines are JSON.
        expect(
          site
            .output()
            .split("\n")
            .filter((line) => line.startsWith("{"))
            .join(),
        ).not.toContain(address);
      },
    );

    test("filters, orders and paging work", slowUnless(javaScriptEnabled), async ({ owner: page, site }) => {
      await page.goto(`${site.url}/owner/entries`);
      await page.locator(".list-filters summary").click();
      await page.locator("select[name=source]").selectOption("ways_to_help_section");
      await page.locator("select[name=order]").selectOption("address");
      await page.getByRole("button", { name: "Apply" }).click();
      await page.waitForURL(/order=address/);
      const addresses = page.locator(".entry-table th a");
      const first = await addresses.allTextContents();
      expect(first).toHaveLength(25);
      expect(first).toEqual(first.toSorted());
      await page.getByRole("link", { name: "Next" }).click();
      await page.waitForURL(/after=/);
      const next = await addresses.allTextContents();
      expect([...first, ...next]).toEqual([...new Set([...first, ...next])].toSorted());
      await page.getByRole("link", { name: "Previous" }).click();
      await page.waitForURL(/before=/);
      expect(await addresses.allTextContents()).toEqual(first);
    });
  });
}

/** Waits for the confirmation of a change to an entry. */
async function expectDone(page: Page, change: "resent" | "noted" | "unsubscribed" | "erased"): Promise<void> {
  await expect(page).toHaveURL(new RegExp(`done=${change}$`));
  await expect(page.getByRole("status")).not.toBeEmpty();
}
