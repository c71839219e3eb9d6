import type { Page } from "@playwright/test";
import { armTablet } from "#tests/features/fair/browser/armed-tablet.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { scan } from "#tests/support/browser/scan.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expectSound } from "#tests/support/browser/walk.ts";

needs("fair");

/** Makes a code. @returns what it leads to */
async function makeCode(page: Page, url: string, event: string): Promise<string> {
  await page.goto(`${url}/owner/fair`);
  await page.getByLabel("Name of the event").fill(event);
  await page.getByLabel("Name of the event").press("Enter");
  await expect(page.getByRole("status")).toContainText(`The code for “${event}” is ready.`);
  return page.locator(".code-block").innerText();
}

test("the code can be scanned on every screen in both schemes", slow, async ({ owner: page, site, browser }) => {
  const link = await makeCode(page, site.url, "Harvest Fair");
  expect(link).toMatch(/\/fair#[\da-f]{64}$/);
  // Another page decodes the picture, because this one has the owner's content policy.
  const decoder = await browser.newPage();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const code = page.getByRole("img", { name: "QR code that sets up the tablet" });
      expect(await scan(decoder, await code.screenshot()), `${colorScheme}, ${width} px`).toBe(link);
    }
  }
  await decoder.close();
});

test("a tablet with a decision to make: its page is sound", slow, async ({ owner: page, site }) => {
  const tablet = await armTablet(await makeCode(page, site.url, "Wool and Willow Fair"));
  await page.goto(`${site.url}/owner/fair`);
  await page.getByRole("link", { name: "Wool and Willow Fair" }).last().click();
  await page.locator("summary").getByText("Revoke", { exact: true }).click();
  await page.getByRole("button", { name: "Revoke the tablet" }).click();
  await tablet.send([`${"a-long-name-".repeat(5)}end@${"subdomain.".repeat(8)}example.com`, "bob@example.com"]);
  await expectSound(page, { name: "a revoked tablet", path: page.url() }, site.url);
});
