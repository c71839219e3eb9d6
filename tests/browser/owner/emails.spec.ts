import { originalWording } from "#app/email/wordings/original-wording.server.ts";
import { newsOnly } from "#app/waitlist/consent-wording.ts";
import { violations } from "#tests/support/browser/measure.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { slow } from "#tests/support/browser/slow.ts";

const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } };

const original = originalWording("welcome", { launchUrl: undefined, promise: newsOnly.text, now: Date.now() });

for (const javaScriptEnabled of [true, false]) {
  for (const [device, viewport] of Object.entries(sizes)) {
    test.describe(`on a ${device}, ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
      test.use({ javaScriptEnabled, viewport });

      test(
        "the words of the welcome email are previewed, saved and put back, with the keyboard alone",
        slow,
        async ({ owner: page, site }) => {
          const errors: string[] = [];
          page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
          // The checks run as a script in the page.
          const isAccessible = async () => javaScriptEnabled && expect(await violations(page)).toEqual([]);
          const frame = page.frameLocator("iframe").first();
          await page.goto(`${site.url}/owner/emails`);
          await isAccessible();
          await page.locator("a[href='/owner/emails/welcome']").focus();
          await page.keyboard.press("Enter");
          await expect(frame.getByRole("heading")).toHaveText(original.heading);
          await isAccessible();

          await page.locator("#heading").fill("Come in");
          await page.locator("#body").fill("# Too large\n\n- one\n- [two](https://map.example)");
          await page.locator("button[value=preview]").press("Enter");
          await expect(page.locator("#body-problem")).toContainText("Line 1");
          await expect(page.locator("iframe")).toHaveCount(0);
          await isAccessible();
          await page.locator("#body").fill("Hello.\n\n- one\n- [two](https://map.example)");
          await page.locator("button[value=preview]").press("Enter");
          await expect(page.getByRole("alert")).toContainText("not saved yet");
          await expect(frame.getByRole("heading")).toHaveText("Come in");
          await expect(frame.getByRole("listitem")).toHaveText(["one", "two"]);
          // The email has its own colours, by style attributes, which the page's policy lets through.
          const bar = frame.locator(".e-bar");
          expect(await bar.evaluate((cell) => getComputedStyle(cell).backgroundColor)).not.toBe("rgba(0, 0, 0, 0)");
          await isAccessible();
          expect(await site.rows("email_wordings")).toEqual([]);

          await page.locator("button[value=save]").press("Enter");
          await expect(page.getByRole("status")).not.toBeEmpty();
          expect(await site.rows("email_wordings")).toMatchObject([{ kind: "welcome", heading: "Come in" }]);
          await isAccessible();

          const question = page.locator("details", { has: page.locator("button[value=restore]") });
          await question.locator("summary").press("Enter");
          await question.locator("button").press("Enter");
          await expect(page.getByRole("status")).not.toBeEmpty();
          await expect(page.locator("#heading")).toHaveValue(original.heading);
          expect(await site.rows("email_wordings")).toEqual([]);
          expect(errors.filter((text) => !text.includes("422"))).toEqual([]);
        },
      );
    });
  }
}
