import type { Page } from "@playwright/test";
import { site as product } from "#app/site.ts";
import { hydrate } from "#scripts/lib/hydrated.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

const EVIL = "http://evil.example";

for (const javaScriptEnabled of [true, false]) {
  test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test(
      "a form on another site is blocked with an explanation and a link to our form",
      slowUnless(javaScriptEnabled),
      async ({ page, site }) => {
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
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expect(page.getByRole("contentinfo")).toBeVisible();
        if (javaScriptEnabled) await hydrate(page);
        await page.getByRole("main").getByRole("link").click();
        await expect(page.getByPlaceholder("Enter your email").first()).toBeVisible();
        expect((await site.rows("waitlist_emails")).filter(({ email }) => email === "eve@example.com")).toEqual([]);
        expect(errors.filter((text) => !text.includes("403"))).toEqual([]);
      },
    );

    test("a URL with an invalid percent escape shows an error page that leads home", slow, async ({ page, site }) => {
      const errors = errorsOf(page);
      for (const path of ["/50%", "/your-data/1.abc%"]) {
        const response = await page.goto(site.url + path);
        expect(response?.status()).toBe(404);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        if (javaScriptEnabled) await hydrate(page);
        await page.getByRole("banner").getByRole("link", { name: product.name }).click();
        await expect(page).toHaveURL(`${site.url}/`);
      }
      expect(errors.filter((text) => !text.includes("404"))).toEqual([]);
    });
  });
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("an oversized form shows a page with advice, and the banner still works", slow, async ({ page, site }) => {
    await page.goto(site.url);
    const form = page.locator("form#join");
    // As autofill software might do.
    await form.evaluate((element) => {
      const field = Object.assign(document.createElement("input"), { name: "notes", value: "a".repeat(5_000) });
      element.append(field);
    });
    await form.getByPlaceholder("Enter your email").fill("ada@example.com");
    const [response] = await Promise.all([page.waitForResponse(`${site.url}/`), form.getByRole("button").click()]);
    expect(response.status()).toBe(413);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.getByRole("button", { name: "Decline All" }).click();
    await expect(page.getByRole("button", { name: "Decline All" })).toHaveCount(0);
    await expect(page.getByPlaceholder("Enter your email").first()).toBeVisible();
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
