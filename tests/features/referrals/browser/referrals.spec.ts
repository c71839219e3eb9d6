import type { Page } from "@playwright/test";
import { hydrate } from "#scripts/lib/hydrated.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { scan } from "#tests/support/browser/scan.ts";
import { formOn } from "#tests/support/browser/sign-up-form.ts";
import { sharedSite } from "#tests/support/browser/sites.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { ticketOn } from "#tests/support/browser/ticket.ts";

needs("referrals");

let confirming: RunningSite;

test.beforeAll(async ({ shared }) => {
  confirming = await sharedSite(shared, "dressed");
});

/** Follows the link in the newest email to an address whose path begins like this. */
async function follow(page: Page, address: string, path: string): Promise<void> {
  const { text } = await confirming.emailTo(address);
  await page.goto(new RegExp(`\\S+/${path}/\\S+`).exec(text)?.[0] ?? "no link");
}

async function confirm(page: Page, address: string): Promise<void> {
  await follow(page, address, "confirm");
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You’re on the list");
}

/** The link that a ticket or the page of an entry shows. */
async function ownLinkOn(page: Page): Promise<string> {
  await page.getByText("Invite friends with your link").click();
  await expect(page.getByRole("img", { name: "QR code of your link" })).toBeVisible();
  return (await page.locator(".own-link p").textContent()) ?? "";
}

/** Opens the page of an entry from its welcome email, which is the second one. */
async function openEntry(page: Page, address: string): Promise<void> {
  await expect.poll(async () => (await confirming.emailTo(address)).text).toContain("/your-data/");
  await follow(page, address, "your-data");
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("someone shares their link, a friend joins through it and confirms, and both see only numbers", async ({
    page,
    context,
  }) => {
    const [ada, grace] = ["ada-shares@gmail.com", "grace-joins@gmail.com"];
    await page.goto(confirming.url);
    await formOn(page).submit(ada);
    await expect(ticketOn(page)).toBeVisible();
    const link = await ownLinkOn(page);
    expect(link).toMatch(new RegExp(`^${confirming.url}/\\?via=[2-9a-hjkmnp-z]{8}$`));
    await confirm(page, ada);
    expect(await ownLinkOn(page)).toBe(link);

    await page.goto(link);
    await formOn(page).submit(grace);
    await expect(ticketOn(page)).toBeVisible();
    await openEntry(page, ada);
    const friends = page.getByRole("region", { name: "Invite your friends" });
    await expect(friends).toContainText("One person has joined through your link. They don’t count yet.");
    await confirm(page, grace);
    await openEntry(page, ada);
    await expect(friends).toContainText("One person has joined through your link. They count.");
    await expect(page.locator("main")).not.toContainText("grace");
    expect(await ownLinkOn(page)).toBe(link);

    await openEntry(page, grace);
    await expect(friends).toContainText("No one has joined through your link yet.");
    await page.getByRole("button", { name: "Show my data" }).click();
    await expect(page.locator("main")).toContainText(/Came through someone’s personal link\s*Yes/);
    await expect(page.locator("main")).not.toContainText("ada-");
    expect((await context.cookies()).filter(({ name }) => name !== "cookiePreferences")).toEqual([]);
  });
});

test("the QR code on the ticket leads to the link", async ({ page, context }) => {
  await page.goto(confirming.url);
  await hydrate(page);
  await formOn(page).submit("ada-qr@gmail.com");
  const link = await ownLinkOn(page);
  const picture = page.getByRole("img", { name: "QR code of your link" });
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
    .toBeTruthy();
  expect(await scan(await context.newPage(), await picture.screenshot())).toBe(link);
});
