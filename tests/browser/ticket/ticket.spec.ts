import { site as product } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { schemes } from "#scripts/lib/site-paths.ts";
import { sidewaysScroll, violations } from "#tests/support/browser/measure.ts";
import { formOn, openHydrated } from "#tests/support/browser/sign-up-form.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { ticketOn } from "#tests/support/browser/ticket.ts";
import { choiceQuestions } from "#tests/support/site-answers.ts";

test("a ticket appears above the form, stays when the message ends, and is there on return to the page", async ({
  page,
  context,
  site,
}) => {
  await page.clock.install({ time: 0 });
  await openHydrated(page, site.url);
  const ticket = ticketOn(page);
  await expect(ticket).toHaveCount(0);
  await formOn(page).submit("ticket-js@example.com");
  await expect(ticket).toBeVisible();
  await expect(ticket.getByRole("heading")).toHaveCSS("font-size", "28px");
  await expect(ticket.getByText("confirm your address")).toHaveCount(0);
  if (switches.share) await expect(ticket.getByRole("button", { name: `Share ${product.name}` })).toBeVisible();
  const form = page.locator("form#join");
  const bottom = await ticket.evaluate((element) => element.getBoundingClientRect().bottom);
  expect(bottom).toBeLessThanOrEqual((await form.boundingBox())?.y ?? 0);
  await page.clock.runFor(6_000);
  await expect(formOn(page).message).toHaveText("");
  await expect(formOn(page).email).toHaveValue("");
  await expect(ticket).toBeVisible();

  const answer = choiceQuestions[0] && Object.values(choiceQuestions[0].answers ?? {})[0];
  if (answer !== undefined) {
    await ticket.getByRole("button", { name: answer, exact: true }).click();
    await expect(ticket.locator("[aria-pressed=true]")).toHaveText(answer);
  }
  await form.getByRole("link", { name: "Privacy policy" }).click();
  await page.clock.runFor(1_000);
  await expect(page.getByRole("heading", { level: 1, name: "Privacy" })).toBeVisible();
  await page.goBack();
  await expect(ticket).toBeVisible();
  if (answer !== undefined) await expect(ticket.locator("[aria-pressed=true]")).toHaveText(answer);
  // Nothing is stored in the browser.
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.getItem("ticket")])).toEqual([0, null]);
  expect((await context.cookies()).map(({ name }) => name)).toEqual([]);
});

test("a duplicate gets no ticket", async ({ page, site }) => {
  await page.request.post(`${site.url}/api/signup`, { data: { email: "ticket-twice@example.com" } });
  await openHydrated(page, site.url);
  await formOn(page).submit("ticket-twice@example.com");
  await expect(formOn(page).message).toHaveText("This email is already on our waitlist!");
  await expect(page.locator(".ticket")).toHaveCount(0);
});

for (const colorScheme of schemes) {
  for (const forcedColors of ["none", "active"] as const) {
    test(
      `the ticket fits 320 px, and axe finds no violations, ${colorScheme}, forced colours: ${forcedColors}`,
      slow,
      async ({ page, site }) => {
        await page.emulateMedia({ colorScheme, forcedColors, reducedMotion: "reduce" });
        await page.setViewportSize({ width: 320, height: 800 });
        await openHydrated(page, site.url);
        await formOn(page).submit(`ticket-axe-${colorScheme}-${forcedColors}@gmial.com`);
        await expect(ticketOn(page)).toBeVisible();
        // axe reads the colours of the stylesheets, which forced ones replace.
        if (forcedColors === "none") expect(await violations(page)).toEqual([]);
        expect(await sidewaysScroll(page)).toBe(0);
        const cut = await ticketOn(page).evaluate((ticket) => ticket.scrollWidth - ticket.clientWidth);
        expect(cut).toBeLessThanOrEqual(0);
      },
    );
  }
}
