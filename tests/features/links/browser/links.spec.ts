import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, type OwnerSite, test } from "#tests/support/browser/owner-test.ts";
import { scan } from "#tests/support/browser/scan.ts";
import { slow } from "#tests/support/browser/slow.ts";

/* The page of a link: its address to copy, and its QR code to download. */

const labels = { utm_source: "newsletter", utm_medium: "email", utm_campaign: "Frühlingsmarkt by the harbour 2027" };

/** Makes a link in the form, if it is not there. @returns its address */
async function makeLink(page: Page, site: Pick<OwnerSite, "url">): Promise<string> {
  await page.goto(`${site.url}/owner/links`);
  for (const [name, label] of Object.entries(labels)) await page.locator(`#${name}`).fill(label);
  await page.getByRole("button", { name: "Make the link" }).click();
  await page.waitForURL(/\/owner\/links\/\d+/);
  return `${site.url}/?${new URLSearchParams(labels)}`;
}

test("a button copies the whole address, which also wraps in sight, in the list too", async ({ owner: page, site }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const address = await makeLink(page, site);
  await page.getByRole("button", { name: "Copy the address" }).click();
  await expect(page.getByRole("status")).toHaveText("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  for (const width of [390, 1_280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of [page.url(), `${site.url}/owner/links`]) {
      await page.goto(path);
      const shown = page.locator(".link-address", { hasText: address });
      expect(await shown.evaluate((code) => code.scrollWidth <= code.clientWidth || code.clientWidth === 0)).toBe(true);
      const box = await shown.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0), `${path} at ${width} px`).toBeLessThanOrEqual(width);
    }
  }
});

test("the downloaded picture is a QR code of the address", slow, async ({ owner: page, site, browser }) => {
  const address = await makeLink(page, site);
  const started = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download PNG" }).click();
  const download = await started;
  expect(download.suggestedFilename()).toBe("qr-code.png");
  const decoder = await browser.newPage();
  expect(await scan(decoder, await readFile(await download.path()))).toBe(address);
  await decoder.close();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a click selects the address as a whole, and there is no button to copy it", async ({ owner: page, site }) => {
    await makeLink(page, site);
    await expect(page.getByRole("button", { name: "Copy the address" })).toHaveCount(0);
    expect(await page.locator(".link-address").evaluate((code) => getComputedStyle(code).userSelect)).toBe("all");
  });
});
