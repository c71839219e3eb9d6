import type { Page } from "@playwright/test";
import { untilHydrated } from "#scripts/lib/hydrated.ts";
import { expect, test } from "#tests/support/browser/test.ts";

const EVIL = "http://evil.example";

for (const javaScriptEnabled of [true, false]) {
  test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test("a form on somebody else's page: a page that says why, and leads to our own form", async ({ page, site }) => {
      const complaints = complaintsOf(page);
      await page.route(`${EVIL}/**`, (route) =>
        route.fulfill({
          contentType: "text/html",
          body: `<form method="post" action="${site.url}/"><input name="email" value="eve@example.com"><button>Win</button></form>`,
        }),
      );
      await page.goto(EVIL);
      const [answer] = await Promise.all([page.waitForResponse(`${site.url}/`), page.getByRole("button").click()]);
      expect(answer.status()).toBe(403);
      await expect(page.getByText("came from a page that is not ours")).toBeVisible();
      await expect(page.getByRole("contentinfo")).toContainText("The owner reads every e-mail");
      if (javaScriptEnabled) await untilHydrated(page);
      await page.getByRole("link", { name: "Open the page again" }).click();
      await expect(page.getByLabel("Your e-mail address").first()).toBeVisible();
      expect((await site.rows("waitlist_emails")).filter(({ email }) => email === "eve@example.com")).toEqual([]);
      expect(complaints.filter((text) => !text.includes("403"))).toEqual([]);
    });

    test("an address with a broken percent sign: a page, and the way home", async ({ page, site }) => {
      const complaints = complaintsOf(page);
      for (const [path, words] of [
        ["/50%", "There is no page at this address."],
        ["/your-data/1.abc%", "This link is not complete."],
      ] as const) {
        const answer = await page.goto(site.url + path);
        expect(answer?.status()).toBe(404);
        await expect(page.getByText(words)).toBeVisible();
        if (javaScriptEnabled) await untilHydrated(page);
        await page.getByRole("banner").getByRole("link", { name: "Stallwright" }).click();
        await expect(page).toHaveURL(`${site.url}/`);
      }
      expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
    });
  });
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("more than the form takes: a page that says what helps, and the banner still works", async ({ page, site }) => {
    await page.goto(site.url);
    const form = page.locator("form#join");
    // As a program that fills in forms does.
    await form.evaluate((element) => {
      const field = Object.assign(document.createElement("input"), { name: "notes", value: "a".repeat(5_000) });
      element.append(field);
    });
    await form.getByLabel("Your e-mail address").fill("ada@example.com");
    const [answer] = await Promise.all([page.waitForResponse(`${site.url}/`), form.getByRole("button").click()]);
    expect(answer.status()).toBe(413);
    await expect(page.getByText("is more than this form takes")).toBeVisible();
    await page.getByRole("button", { name: "Decline All" }).click();
    await expect(page.getByRole("button", { name: "Decline All" })).toHaveCount(0);
    await expect(page.getByLabel("Your e-mail address").first()).toBeVisible();
  });
});

/** Errors that the page threw or the browser told of: a document that React had to throw away is one. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (entry) => {
    if (entry.type() === "error") complaints.push(entry.text());
  });
  return complaints;
}
