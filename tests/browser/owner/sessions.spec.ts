import { type Browser, expect, type Page, test } from "@playwright/test";
import { createLocalSignInLink } from "#scripts/lib/local-sign-in.ts";
import { startOwnerSite } from "#scripts/lib/owner-site.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { slow } from "#tests/support/browser/slow.ts";

const ADA = "ada@market.example";
const BOB = "bob@market.example";

let site: RunningSite;

test.beforeAll(async () => {
  site = await startOwnerSite(3, { OWNER_EMAIL: `${ADA}, ${BOB}` });
});
test.afterAll(() => site.stop());

/** Signs in with a link like one from the command line, since emails are limited to one every five minutes. */
async function signIn(page: Page, owner: string): Promise<void> {
  await page.goto((await createLocalSignInLink(site.persistTo, site.url, owner)) ?? "no link");
  await page.getByRole("main").getByRole("button").click();
  await page.waitForURL(`${site.url}/owner`);
}

const signInForm = (page: Page) => page.locator("main input[name=email]");

for (const javaScriptEnabled of [true, false]) {
  const newPage = (browser: Browser, width: number) =>
    browser.newPage({ javaScriptEnabled, viewport: { width, height: 800 } });

  test(
    `two owners use their own sessions, and one signs out everywhere and in again, ${javaScriptEnabled ? "with" : "without"} JavaScript`,
    slow,
    async ({ browser }) => {
      const [phone, laptop, bob] = await Promise.all([360, 1280, 1280].map((width) => newPage(browser, width)));
      if (phone === undefined || laptop === undefined || bob === undefined) throw new Error("no page");
      await signIn(phone, ADA);
      await signIn(laptop, ADA);
      await signIn(bob, BOB);
      await bob.goto(`${site.url}/owner/entries/2`);
      await bob.locator("button[value=resend]").click();
      await expect(bob).toHaveURL(/done=resent$/);

      await phone.getByRole("link", { name: "Log" }).click();
      const latest = phone.locator(".log-table tbody tr").first();
      await expect(latest).toContainText(BOB);
      await expect(latest.getByRole("link")).toHaveAttribute("href", "/owner/entries/2");
      await expect(phone.getByText(ADA).first()).toBeVisible();

      await phone.locator("form[action='/owner/sign-out-everywhere'] button").click();
      await expect(signInForm(phone)).toBeVisible();
      expect((await phone.context().cookies()).map(({ name }) => name)).toEqual(["owner-browser"]);
      await phone.goBack();
      await expect(signInForm(phone)).toBeVisible();
      await laptop.reload();
      await expect(signInForm(laptop)).toBeVisible();
      await bob.reload();
      await expect(bob.locator(".entry-address")).toBeVisible();

      await signIn(phone, ADA);
      await phone.reload();
      await expect(phone.locator("form[action='/owner/sign-out']")).toBeVisible();
      for (const page of [phone, laptop, bob]) await page.close();
    },
  );
}

test(
  "signing out keeps the visitor's choice about cookies, and an old page asks to sign in",
  slow,
  async ({ page }) => {
    await page.context().addCookies([{ name: "cookiePreferences", value: "{}", url: site.url }]);
    await signIn(page, BOB);
    await page.goto(`${site.url}/owner/entries`);
    await page.locator("form[action='/owner/sign-out'] button").click();
    await expect(signInForm(page)).toBeVisible();
    const kept = (await page.context().cookies()).map(({ name }) => name);
    expect(kept.toSorted()).toEqual(["cookiePreferences", "owner-browser"]);
    await page.goBack();
    await expect(signInForm(page)).toBeVisible();
  },
);
