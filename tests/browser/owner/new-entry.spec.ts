import type { Page } from "@playwright/test";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { violations } from "#tests/support/browser/measure.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { slowUnless } from "#tests/support/browser/slow.ts";

const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } };

const entryOf = async (site: RunningSite, email: string) =>
  (await site.rows("waitlist_emails")).find((entry) => entry["email"] === email);

for (const javaScriptEnabled of [true, false]) {
  for (const [device, viewport] of Object.entries(sizes)) {
    test.describe(`on a ${device}, ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
      test.use({ javaScriptEnabled, viewport });

      test(
        "one person is added by hand, with the keyboard alone, and a second time is refused",
        slowUnless(javaScriptEnabled && device === "desktop"),
        async ({ owner: page, site }) => {
          const email = `hand-${device}-${javaScriptEnabled}@example.com`;
          // The checks run as a script in the page.
          const isAccessible = async () => javaScriptEnabled && expect(await violations(page)).toEqual([]);
          await page.goto(`${site.url}/owner/entries`);
          await page.locator("a[href='/owner/entries/new']").focus();
          await page.keyboard.press("Enter");
          await page.waitForURL(/\/owner\/entries\/new$/);
          await isAccessible();

          await page.locator("#email").focus();
          await page.keyboard.type(email);
          await tabTo(page, "note");
          await page.keyboard.type("Asked me at the stall");
          await page.keyboard.press("Enter");
          const problem = page.locator("#consent-date-problem");
          await expect(problem).not.toBeEmpty();
          await expect(page.locator("#consent-date")).toHaveAttribute("aria-describedby", "consent-date-problem");
          await expect(page.locator("#email")).toHaveValue(email);
          await isAccessible();
          expect(await entryOf(site, email)).toBeUndefined();

          await page.locator("#consent-date").fill("2026-07-04");
          await page.locator("#consent-date").press("Enter");
          await page.waitForURL(/\/owner\/entries\/\d+\?done=added$/);
          await expect(page.getByRole("status")).not.toBeEmpty();
          expect(await entryOf(site, email)).toMatchObject({ consent_note: "Asked me at the stall" });
          expect((await site.emailTo(email)).text).toContain("outside our site");

          await page.goto(`${site.url}/owner/entries/new`);
          await page.locator("#email").fill(email.toUpperCase());
          await page.locator("#consent-date").fill("2026-07-05");
          await page.locator("#note").fill("Asked again");
          await page.locator("main form button").last().press("Enter");
          await expect(page.getByRole("alert")).toContainText("Nothing was changed");
          await isAccessible();
          await page.getByRole("alert").getByRole("link").click();
          await page.waitForURL(/\/owner\/entries\/\d+$/);
          await expect(page.getByRole("heading", { level: 1 })).toHaveText(email);
        },
      );
    });
  }
}

/** Presses the tab key until a field has the focus. */
async function tabTo(page: Page, id: string): Promise<void> {
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press("Tab");
    if ((await page.locator(`#${id}:focus`).count()) > 0) return;
  }
  throw new Error(`The tab key does not lead to #${id}`);
}
