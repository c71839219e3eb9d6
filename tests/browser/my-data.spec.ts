import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { sidewaysScroll, violations } from "#tests/support/browser/measure.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

for (const javaScriptEnabled of [true, false]) {
  test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test(
      "the email link lets a person unsubscribe, rejoin, see their data and erase it",
      slowUnless(javaScriptEnabled),
      async ({ page, site }) => {
        const address = `rights-${javaScriptEnabled}@example.com`;
        await openLinkInEmail(page, site, address);
        await expect(page.getByText("r•••@e•••.com")).toBeVisible();

        await change(page, "unsubscribe");
        await change(page, "rejoin");

        await page.getByRole("button", { name: "Show my data" }).click();
        await expect(page.getByRole("main")).toContainText(address);
        const download = page.waitForEvent("download");
        await page.locator("form[action$='/export'] button").click();
        const file = await (await download).path();
        expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ email: address, status: "active" });
        await page.getByRole("main").getByRole("link").click();

        const erase = page.locator("button[value=erase]");
        await expect(erase).toBeHidden();
        await page.locator("summary", { hasText: "Erase my entry" }).click();
        await change(page, "erase");
        expect((await site.rows("waitlist_emails")).filter(({ email }) => email === address)).toEqual([]);
        expect((await site.sentEmails()).filter(({ to }) => to.includes(address))).toHaveLength(1);
      },
    );
  });
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no violations on the my-data page or a broken link, ${colorScheme}`, slow, async ({ page, site }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const address = `axe-entry-${colorScheme}-${width}@example.com`;
      await openLinkInEmail(page, site, address);
      expect(await violations(page)).toEqual([]);
      expect(await sidewaysScroll(page)).toBe(0);
      await page.locator("summary", { hasText: "Erase my entry" }).click();
      await expect(page.locator("button[value=erase]")).toBeVisible();
      expect(await violations(page)).toEqual([]);
      const link = page.url();
      await page.getByRole("button", { name: "Show my data" }).click();
      await expect(page.getByRole("main")).toContainText(address);
      expect(await violations(page)).toEqual([]);
      expect((await page.goto(`${link}x`))?.status()).toBe(404);
      expect(await violations(page)).toEqual([]);
    }
  });
}

test("the page keeps its headings after the cookie choice", slow, async ({ page, site }) => {
  await openLinkInEmail(page, site, "headings@example.com");
  const headings = await page.getByRole("main").getByRole("heading").allTextContents();
  expect(headings.length).toBeGreaterThan(1);
  await page.getByRole("button", { name: "Decline All" }).click();
  await expect(page.getByRole("region", { name: "Cookie preferences" })).toBeHidden();
  for (const name of headings) await expect(page.getByRole("heading", { name, exact: true })).toBeVisible();
});

/** Presses a button of the my-data page and waits for its confirmation. */
async function change(page: Page, intent: "unsubscribe" | "rejoin" | "erase"): Promise<void> {
  await page.locator(`button[value=${intent}]`).click();
  await expect(page).toHaveURL(new RegExp(`done=${intent}$`));
  await expect(page.getByRole("status")).not.toBeEmpty();
}

/** Signs up an address and opens the my-data link from its email. */
async function openLinkInEmail(page: Page, site: RunningSite, address: string): Promise<void> {
  await page.request.post(`${site.url}/api/signup`, { data: { email: address } });
  await page.request.post(`${site.url}/api/send-welcome`, { data: { email: address } });
  const { text } = await site.emailTo(address);
  await page.goto(/\S+\/your-data\/\S+/.exec(text)?.[0] ?? "no link");
}
