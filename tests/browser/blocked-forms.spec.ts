import type { Page } from "@playwright/test";
import { untilHydrated } from "#scripts/lib/hydrated.ts";
import { expect, test } from "#tests/support/browser/test.ts";

const EVIL = "http://evil.example";

for (const javaScriptEnabled of [true, false]) {
  test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test("a form on another site is blocked with an explanation and a link to our form", async ({ page, site }) => {
      const errors = errorsOf(page);
      await page.route(`${EVIL}/**`, (route) =>
        route.fulfill({
          contentType: "text/html",
          body: `<form method="post" action="${site.url}/"><input name="email" value="eve@example.com"><button>Win</button></form>`,
        }),
      );
      await page.goto(EVIL);
      const [response] = await Promise.all([page.waitForResponse(`${site.url}/`), page.getByRole("button").click()]);
      expect(response.status()).toBe(403);
      await expect(page.getByText("came from a page that is not ours")).toBeVisible();
      await expect(page.getByRole("contentinfo")).toContainText("The owner reads every e-mail");
      if (javaScriptEnabled) await untilHydrated(page);
      await page.getByRole("link", { name: "Open the page again" }).click();
      await expect(page.getByLabel("Your e-mail address").first()).toBeVisible();
      expect((await site.rows("waitlist_emails")).filter(({ email }) => email === "eve@example.com")).toEqual([]);
      expect(errors.filter((text) => !text.includes("403"))).toEqual([]);
    });

    test("a URL with an invalid percent escape shows an error page that leads home", async ({ page, site }) => {
      const errors = errorsOf(page);
      for (const [path, message] of [
        ["/50%", "There is no page at this address."],
        ["/your-data/1.abc%", "This link is not complete."],
      ] as const) {
        const response = await page.goto(site.url + path);
        expect(response?.status()).toBe(404);
        await expect(page.getByText(message)).toBeVisible();
        if (javaScriptEnabled) await untilHydrated(page);
        await page.getByRole("banner").getByRole("link", { name: "Stallwright" }).click();
        await expect(page).toHaveURL(`${site.url}/`);
      }
      expect(errors.filter((text) => !text.includes("404"))).toEqual([]);
    });
  });
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("an oversized form shows a page with advice, and the banner still works", async ({ page, site }) => {
    await page.goto(site.url);
    const form = page.locator("form#join");
    // As autofill software might do.
    await form.evaluate((element) => {
      const field = Object.assign(document.createElement("input"), { name: "notes", value: "a".repeat(5_000) });
      element.append(field);
    });
    await form.getByLabel("Your e-mail address").fill("ada@example.com");
    const [response] = await Promise.all([page.waitForResponse(`${site.url}/`), form.getByRole("button").click()]);
    expect(response.status()).toBe(413);
    await expect(page.getByText("is more than this form takes")).toBeVisible();
    await page.getByRole("button", { name: "Decline All" }).click();
    await expect(page.getByRole("button", { name: "Decline All" })).toHaveCount(0);
    await expect(page.getByLabel("Your e-mail address").first()).toBeVisible();
  });
});

/** Page errors and console errors, including failed hydration. */
function errorsOf(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (entry) => {
    if (entry.type() === "error") errors.push(entry.text());
  });
  return errors;
}
