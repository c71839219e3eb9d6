import type { Page } from "@playwright/test";
import * as switches from "#app/switches.ts";
import { hydrate } from "#scripts/lib/hydrated.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { fakeSharing } from "#tests/support/browser/fake-sharing.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { scan } from "#tests/support/browser/scan.ts";
import { formOn } from "#tests/support/browser/sign-up-form.ts";
import { sharedSite } from "#tests/support/browser/sites.ts";
import { slow } from "#tests/support/browser/slow.ts";
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
  await expect(page.getByRole("img", { name: "QR code of your link" })).toBeVisible();
  return (await page.locator(".own-link-address").textContent()) ?? "";
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
    // Without scripts there is a link to select, and links that send it.
    await expect(ticketOn(page).getByRole("button", { name: "Copy link" })).toBeHidden();
    if (switches.share) {
      const send = ticketOn(page).getByRole("link", { name: "Share on WhatsApp" });
      expect(decodeURIComponent((await send.getAttribute("href")) ?? "")).toContain(link);
    }
    await confirm(page, ada);
    expect(await ownLinkOn(page)).toBe(link);

    await page.goto(link);
    await formOn(page).submit(grace);
    await expect(ticketOn(page)).toBeVisible();
    await openEntry(page, ada);
    const friends = page.getByRole("region", { name: "Friends you’ve invited" });
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

for (const native of [true, false]) {
  const what = `the link is copied and sent ${native ? "with" : "without"} a share sheet, and one button is filled`;
  test(what, native ? {} : slow, async ({ page }) => {
    const shared = await fakeSharing(page, { native });
    const alerts: string[] = [];
    page.on("dialog", async (dialog) => {
      alerts.push(dialog.message());
      await dialog.accept();
    });
    await page.goto(confirming.url);
    await hydrate(page);
    await formOn(page).submit(`ada-sends-${native}@gmail.com`);
    const ticket = ticketOn(page);
    const link = await ownLinkOn(page);
    const buttons = ticket.locator(".own-link-actions").getByRole("button");
    const share = ticket.getByRole("button", { name: /^Share/ });
    const copy = ticket.getByRole("button", { name: "Copy link" });
    await expect(buttons).toHaveCount(switches.share ? 2 : 1);
    const main = native && switches.share ? share : copy;
    await expect(main).not.toHaveClass(/button-quiet/);
    await expect(ticket.locator(".own-link-actions .button:not(.button-quiet)")).toHaveCount(1);

    await copy.click();
    await expect(ticket.getByRole("status").filter({ hasText: "Link copied" })).toHaveCount(1);
    await expect(ticket.getByRole("button", { name: "Link copied" })).toBeVisible();
    expect(shared).toEqual([link]);
    expect(alerts).toEqual([]);
    await expect(copy).toBeVisible();
    if (!switches.share) return;
    await share.click();
    await expect.poll(() => shared).toHaveLength(2);
    expect(shared[1]).toEqual(native ? expect.objectContaining({ url: link }) : link);
    await expect.poll(() => alerts).toEqual(native ? [] : ["Link copied to clipboard!"]);
  });
}

test("where the browser refuses to copy, the link is selected", async ({ page }) => {
  await fakeSharing(page, { native: false, refused: true });
  await page.goto(confirming.url);
  await hydrate(page);
  await formOn(page).submit("ada-refused@gmail.com");
  const link = await ownLinkOn(page);
  await ticketOn(page).getByRole("button", { name: "Copy link" }).click();
  await expect(ticketOn(page).getByRole("button", { name: "Link selected" })).toBeVisible();
  expect(await page.evaluate(() => String(getSelection()))).toBe(link);
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

test("the preview of a friend’s link is a picture of 1200 by 630 pixels", async ({ page, site }) => {
  await page.goto(`${site.url}/?via=zzzz9999`);
  const source = (await page.locator("meta[property='og:image']").getAttribute("content")) ?? "";
  const size = await page.evaluate(async (path) => {
    const picture = new Image();
    picture.src = path;
    await picture.decode();
    return [picture.naturalWidth, picture.naturalHeight];
  }, new URL(source).pathname);
  expect(source).toContain("friend");
  expect(size).toEqual([1200, 630]);
});

test("the invitation stays when scripts take over, and the next page has its own address again", async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/?via=zzzz9999`);
  const invitation = page.getByText("A friend has invited you");
  await expect(invitation).toBeVisible();
  await hydrate(page);
  await expect(invitation).toBeVisible();
  const canonical = page.locator("link[rel=canonical]");
  await expect(canonical).toHaveCount(0);
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
  await expect(canonical).toHaveAttribute("href", /\/privacy$/);
});
