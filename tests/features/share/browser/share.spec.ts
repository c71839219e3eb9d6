import { untilHydrated } from "#scripts/lib/hydrated.ts";
import { fakeSharing } from "#tests/support/browser/fake-sharing.ts";
import { holdScripts } from "#tests/support/browser/hydration-control.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { expect, test } from "#tests/support/browser/test.ts";

needs("share", "waysToHelp");

test("a device with a share sheet opens it with the site's address", async ({ page, site }) => {
  const shared = await fakeSharing(page, { native: true });
  await page.goto(site.url);
  await page.getByRole("button", { name: /^Share/ }).click();
  await expect.poll(() => shared).toEqual([expect.objectContaining({ url: `${site.url}/` })]);
});

test("without a share sheet the link is copied, and an alert says so", async ({ page, site }) => {
  const shared = await fakeSharing(page, { native: false });
  const alerts: string[] = [];
  page.on("dialog", async (dialog) => {
    alerts.push(dialog.message());
    await dialog.accept();
  });
  await page.goto(site.url);
  await page.getByRole("button", { name: /^Share/ }).click();
  await expect.poll(() => alerts).toEqual(["Link copied to clipboard!"]);
  expect(shared).toEqual([`${site.url}/`]);
});

for (const scripts of ["blocked", "late"]) {
  test(`where scripts are ${scripts}, the button shows the link to copy`, async ({ page, site }) => {
    await page.clock.install();
    const release = await holdScripts(page);
    if (scripts === "blocked") await page.route("**/assets/*.js", (route) => route.abort());
    const dialogs: string[] = [];
    page.on("dialog", async (dialog) => {
      dialogs.push(dialog.defaultValue());
      await dialog.dismiss();
    });
    await page.goto(site.url);
    const button = page.getByRole("button", { name: /^Share/ });
    await button.click();
    if (scripts === "late") {
      await expect(button).toHaveAttribute("aria-busy", "true");
      await page.clock.fastForward(10_000);
    }
    await expect(button).not.toHaveAttribute("aria-busy");
    await expect.poll(() => dialogs).toEqual([`${site.url}/`]);
    if (scripts === "blocked") return;
    // What was pressed long ago is not pressed again.
    release();
    await untilHydrated(page);
    expect(dialogs).toHaveLength(1);
    await expect(page.getByLabel("Copy this link")).toHaveCount(0);
  });
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("plain links replace the button", async ({ page, site }) => {
    await page.goto(site.url);
    await expect(page.getByRole("button", { name: /^Share/ })).toBeHidden();
    for (const name of [/^Share by e-?mail$/, "Share on Facebook", "Share on WhatsApp"]) {
      const link = page.getByRole("link", { name });
      await expect(link).toBeVisible();
      expect(decodeURIComponent((await link.getAttribute("href")) ?? "")).toContain(`${site.url}/`);
    }
  });
});
