import type { Locator } from "@playwright/test";
import * as switches from "#app/switches.ts";
import { newsOnly } from "#app/waitlist/consent-wording.ts";
import { untilHydrated } from "#scripts/lib/hydrated.ts";
import { formOn, openHydrated } from "#tests/support/browser/sign-up-form.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { JOINED, ticketOn } from "#tests/support/browser/ticket.ts";

for (const width of [320, 360, 768, 1280]) {
  for (const id of switches.waysToHelp ? ["join", "join-help"] : ["join"]) {
    test(
      `the success message covers the promise but not the focused link, #${id}, ${width} px`,
      slowUnless(width === 360 && id === "join"),
      async ({ page, site }) => {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ reducedMotion: "reduce" });
        await openHydrated(page, site.url);
        const form = page.locator(`form#${id}`);
        const link = form.getByRole("link", { name: "Privacy policy" });
        const promise = form.getByText(newsOnly.text);
        const button = form.getByRole("button", { name: "Join Waitlist" });
        const bottom = async (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().bottom);
        expect(await promise.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThanOrEqual(
          await bottom(button),
        );
        await form.getByPlaceholder("Enter your email").fill(`covered-${id}-${width}@example.com`);
        const held = Promise.withResolvers<void>();
        await page.route("**/api/signup", async (route) => {
          await held.promise;
          await route.continue();
        });
        await page.keyboard.press("Enter");
        await link.focus();
        held.resolve();
        await expect(form.getByText(JOINED)).toBeVisible();
        await expect(link).toBeFocused();
        expect(await overlap(link, form.locator(".sign-up-message"))).toBe(0);
        const { height = 0 } = (await link.boundingBox()) ?? {};
        expect(height).toBeGreaterThanOrEqual(width < 768 ? 44 : 36);
      },
    );
  }
}

test("Enter within 0.3 s of focusing the field leaves the focus at the message", slow, async ({ page, site }) => {
  await page.route("**/assets/*.js", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await route.continue().catch(() => undefined);
  });
  await page.goto(site.url);
  const { email, message } = formOn(page);
  await email.focus();
  await page.keyboard.insertText("quick-enter@example.com");
  await page.keyboard.press("Enter");
  await expect(message).toHaveText(JOINED);
  await expect(message).toBeFocused();
  await expect(message.locator("p")).toBeInViewport({ ratio: 1 });
  await untilHydrated(page);
  await expect(message).toHaveText("");
  await expect(message).toBeFocused();
  await expect(ticketOn(page)).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.locator(":focus")).toHaveText("Privacy policy");
});

/** The area that two elements share (CSS pixels squared). */
async function overlap(first: Locator, second: Locator): Promise<number> {
  const [a, b] = [await first.boundingBox(), await second.boundingBox()];
  if (a === null || b === null) throw new Error("An element is not visible");
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.max(width, 0) * Math.max(height, 0);
}
