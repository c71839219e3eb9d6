import type { Page } from "@playwright/test";
import { failureMessage, messages, quotaMessage } from "#app/waitlist/messages.ts";
import { declineCookies } from "#scripts/lib/decline-cookies.ts";
import { openHydrated } from "#tests/support/browser/sign-up-form.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

const texts = [
  ...Object.values(messages),
  failureMessage("AB12CD34"),
  quotaMessage("after midnight UTC, in about 24 hours"),
];

for (const width of [320, 360, 768, 1280]) {
  for (const id of ["join", "join-help"]) {
    test(`no message of the form #${id} moves anything at ${width} px`, slow, async ({ page, context, site }) => {
      await declineCookies(context, site.url);
      await page.emulateMedia({ reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 900 });
      await openHydrated(page, site.url);
      const form = page.locator(`form#${id}`);
      const field = form.getByPlaceholder("Enter your email");
      await form.scrollIntoViewIfNeeded();
      const before = await positions(page);
      const shifts = await recordShifts(page);
      for (const text of texts) {
        const isInvalid = text === messages["invalid-email"];
        if (!isInvalid) await page.route("**/api/signup", (route) => route.fulfill(refusal(text)), { times: 1 });
        await field.fill(isInvalid ? "not an address" : "ada@example.com");
        await form.getByRole("button").click();
        await expect(form.getByRole("status")).toHaveText(text);
        expect(await positions(page), text).toEqual(before);
      }
      expect(await shifts()).toEqual([]);
    });
  }
}

test("every message stands in the middle of its form", async ({ page, context, site }) => {
  await declineCookies(context, site.url);
  await openHydrated(page, site.url);
  const form = page.locator("form#join");
  for (const [width, height] of [
    [360, 800],
    [1280, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const [address, text] of [
      ["not an address", messages["invalid-email"]],
      [`middle-${width}@example.com`, messages.joined],
    ] as const) {
      await form.getByRole("textbox").first().fill(address);
      await form.getByRole("button", { name: "Join Waitlist" }).click();
      await expect(form.getByRole("status")).toHaveText(text);
      const [left = 0, right = 0] = await form.locator(".sign-up-message").evaluate((message) => {
        const range = document.createRange();
        range.selectNodeContents(message);
        const [words, box] = [range.getBoundingClientRect(), message.getBoundingClientRect()];
        return [words.left - box.left, box.right - words.right];
      });
      // The mark before the words.
      expect(Math.abs(left - right), `${text} at ${width} px`).toBeLessThan(40);
    }
  }
});

/** A refusal with any message, so that the page shows each of them. */
function refusal(message: string) {
  return { status: 422, json: { ok: false, error: { code: "invalid-email", message } } };
}

/** Where everything that a message could move is on the page. */
function positions(page: Page): Promise<number[]> {
  return page
    .locator("main :is(h1, h2, h3, p:not(.sign-up-message), input, button, svg), footer")
    .evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().top + scrollY));
}

/** Records layout shifts from now on, also those that follow input. */
async function recordShifts(page: Page): Promise<() => Promise<number[]>> {
  const values = await page.evaluateHandle(() => {
    const seen: number[] = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: "layout-shift" });
    return seen;
  });
  return () => values.jsonValue();
}
