import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { emailedLink, joinByRequest } from "#tests/support/browser/emailed-link.ts";
import { fakeSharing } from "#tests/support/browser/fake-sharing.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { holderLine, holderOn, sided } from "#tests/support/browser/ticket.ts";

for (const javaScriptEnabled of [true, false]) {
  test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test("the email link lets a person unsubscribe, rejoin, see their data and erase it", async ({ page, site }) => {
      const address = `rights-${javaScriptEnabled}@example.com`;
      await openLinkInEmail(page, site, address);
      await expect(page.getByText("r•••@e•••.com")).toBeVisible();
      await expect(holderOn(page)).toHaveText(holderLine());
      if (sided) {
        // Once on the page, and not on the ticket.
        const answer = page.getByRole("group", { name: sided.wording }).getByRole("button");
        await answer.filter({ hasText: sided.words }).first().click();
        await expect(holderOn(page)).toHaveText(holderLine(sided.words));
      }

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
    });
  });
}

test("“Copy link” works on the first press, before hydration", async ({ page, site }) => {
  needs("referrals");
  const shared = await fakeSharing(page, { native: false });
  await openLinkInEmail(page, site, "first-press@example.com");
  const link = await page.locator(".own-link-address").textContent();
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByRole("button", { name: "Link copied" })).toBeVisible();
  expect(shared).toEqual([link]);
});

/** Presses a button of the my-data page and waits for its confirmation. */
async function change(page: Page, intent: "unsubscribe" | "rejoin" | "erase"): Promise<void> {
  await page.locator(`button[value=${intent}]`).click();
  await expect(page).toHaveURL(new RegExp(`done=${intent}$`));
  await expect(page.getByRole("status").first()).not.toBeEmpty();
}

async function openLinkInEmail(page: Page, site: RunningSite, address: string): Promise<void> {
  await joinByRequest(page, site, address);
  await page.goto(await emailedLink(site, address, "your-data"));
}
