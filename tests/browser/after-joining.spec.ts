import type { Locator, Page } from "@playwright/test";
import { site as product } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { consentWording } from "#app/waitlist/consent-wording.ts";
import { declineCookies } from "#scripts/lib/decline-cookies.ts";
import { hydrate, untilHydrated } from "#scripts/lib/hydrated.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { schemes } from "#scripts/lib/site-paths.ts";
import { sidewaysScroll, violations } from "#tests/support/browser/measure.ts";
import { formOn, openHydrated, REFUSED_BY_SERVER } from "#tests/support/browser/sign-up-form.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";
import { storedAnswers } from "#tests/support/browser/stored-answers.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { choiceQuestions } from "#tests/support/site-answers.ts";

const JOINED = "Thanks for joining! Please check your email.";

/** The fringe hangs 12 px below the header (CSS pixels). */
const HEADER_WITH_FRINGE = 72;

function ticketOn(page: Page): Locator {
  return page.getByRole("region", { name: `You’re ${product.pioneer.one}` });
}

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

for (const [width, height] of [
  [320, 568],
  [360, 740],
  [1280, 800],
] as const) {
  for (const id of switches.waysToHelp ? ["join", "join-help"] : ["join"]) {
    test(
      `the ticket of #${id} shows with the message, ${width} px`,
      slowUnless(width === 360 && id === "join"),
      async ({ page, context, site }) => {
        await declineCookies(context, site.url);
        await page.emulateMedia({ reducedMotion: "reduce" });
        await page.setViewportSize({ width, height });
        await openHydrated(page, site.url);
        const form = page.locator(`form#${id}`);
        await form.scrollIntoViewIfNeeded();
        await form.getByPlaceholder("Enter your email").fill(`ticket-shift-${id}-${width}@example.com`);
        await form.getByRole("button").first().click();
        await expect(ticketOn(page)).toBeVisible();
        await expect(form.getByText(JOINED)).toBeInViewport({ ratio: 0.99 });
        await expect(ticketOn(page)).toBeInViewport();
        if (width !== 360) return;
        const buttons = ticketOn(page).getByRole("group").first().getByRole("button");
        const boxes = await buttons.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
        if (boxes.length === 4) expect(new Set(boxes.map(({ x }) => Math.round(x))).size).toBe(2);
        for (const box of boxes) expect(box.height).toBeGreaterThanOrEqual(44);
      },
    );
  }
}

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

test("leaving the field suggests a correction, which moves and blocks no submit", async ({ page, site }) => {
  await openHydrated(page, site.url);
  const { email, message } = formOn(page);
  const form = page.locator("form#join");
  const use = form.getByRole("button", { name: "Use curie@gmail.com instead" });
  await email.fill("curie@gmail.com");
  await page.keyboard.press("Tab");
  await email.fill("curie@gmial.com");
  await expect(use).toHaveCount(0);
  await page.keyboard.press("Tab");
  await expect(use).toBeVisible();
  await expect(email).not.toHaveAttribute("aria-invalid");
  expect(await violations(page)).toEqual([]);
  // Typed as meant after all.
  await form.getByRole("button", { name: "Join Waitlist" }).click();
  await expect(message).toHaveText(JOINED);
  await expect(use).toHaveCount(0);
  await expect(ticketOn(page).getByRole("button", { name: "Use curie@gmail.com instead" })).toBeVisible();

  // Never beside the success message.
  await expect(message).toHaveText("");
  await email.fill("hodgkin@gmial.com");
  await page.keyboard.press("Tab");
  await form.getByRole("button", { name: "Use hodgkin@gmail.com instead" }).click();
  await expect(message).toHaveText(JOINED);
  await expect(page.getByText("Did you mean")).toHaveCount(0);
  const joined = (await site.rows("waitlist_emails")).map(({ email: address }) => address);
  expect(joined).toEqual(expect.arrayContaining(["curie@gmial.com", "hodgkin@gmail.com"]));
  expect(joined).not.toContain("hodgkin@gmial.com");
});

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
        const promise = form.getByText(consentWording);
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

test("Enter within 0.3 s of focusing the field leaves the focus at the message", async ({ page, site }) => {
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

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the response to a post shows the ticket, and to a duplicate none", async ({ page, site }) => {
    await page.goto(site.url);
    await formOn(page).submit("ticket-plain@example.com");
    await expect(ticketOn(page)).toBeInViewport();
    await expect(formOn(page).message).toHaveText(JOINED);
    await expect(formOn(page).message).toBeFocused();
    if (switches.roadmap) await expect(ticketOn(page).getByRole("link", { name: "Read the roadmap" })).toBeVisible();
    await formOn(page).submit("ticket-plain@example.com");
    await expect(formOn(page).message).toHaveText("This email is already on our waitlist!");
    await expect(page.locator(".ticket")).toHaveCount(0);
  });

  for (const [width, height] of [
    [360, 740],
    [768, 1024],
    [1280, 720],
  ] as const) {
    for (const id of switches.waysToHelp ? ["join", "join-help"] : ["join"]) {
      for (const address of [REFUSED_BY_SERVER, `view-${id}-${width}@example.com`]) {
        test(
          `after a post of ${address} by #${id} the form is in view and clear of the header, ${width} px`,
          slowUnless(id === "join" && width !== 768),
          async ({ page, context, site }) => {
            await declineCookies(context, site.url);
            await page.setViewportSize({ width, height });
            await page.goto(site.url);
            const form = page.locator(`form#${id}`);
            await form.scrollIntoViewIfNeeded();
            await form.getByPlaceholder("Enter your email").fill(address);
            await form.getByRole("button").click();
            await expect(form.getByRole("status")).not.toHaveText("");
            const message = form.locator(".sign-up-message");
            await expect(message).toBeInViewport({ ratio: 1 });
            await expect.poll(async () => (await form.boundingBox())?.y).toBeGreaterThanOrEqual(HEADER_WITH_FRINGE);
            for (const part of [form.locator("label").first(), form.getByPlaceholder("Enter your email"), message]) {
              const { y = 0, height: tall = 0 } = (await part.boundingBox()) ?? {};
              expect(y).toBeGreaterThanOrEqual(HEADER_WITH_FRINGE);
              expect(y + tall).toBeLessThanOrEqual(height);
            }
          },
        );
      }
    }
  }
});

test.describe("where addresses are confirmed", () => {
  let confirming: RunningSite;

  test.beforeAll(async () => {
    confirming = await startSite({ vars: { CONFIRM_ADDRESSES: "on" } });
  });
  test.afterAll(() => confirming.stop());

  for (const javaScriptEnabled of [true, false]) {
    test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
      test.use({ javaScriptEnabled });

      test("the ticket asks to confirm, and follows the link in the email", async ({ page }) => {
        const address = `ticket-confirm-${javaScriptEnabled}@example.com`;
        await page.goto(confirming.url);
        if (javaScriptEnabled) await hydrate(page);
        await formOn(page).submit(address);
        await expect(ticketOn(page)).toContainText("confirm your address");
        const link = /\S+\/confirm\/\S+/.exec((await confirming.emailTo(address)).text)?.[0] ?? "no link";
        await page.goto(link);
        await expect(page.locator(".ticket")).toHaveCount(0);
        await page.getByRole("button", { name: "Confirm my address" }).click();
        await expect(page.getByRole("heading", { level: 1 })).toHaveText("You’re on the list");
        await expect(page).toHaveTitle(/^You’re on the list/);
        const ticket = ticketOn(page);
        await expect(ticket).toBeVisible();
        await expect(ticket).not.toContainText("confirm your address");
        const [question] = choiceQuestions;
        if (question === undefined) return;
        for (const [key, words] of Object.entries(question.answers ?? {}).slice(0, 2)) {
          await ticket.getByRole("button", { name: words, exact: true }).click();
          await expect(ticket.locator("[aria-pressed=true]")).toHaveText(words);
          await expect(ticket.getByText("Thanks. You can change this any time.")).toBeVisible();
          await expect.poll(() => storedAnswers(confirming, address)).toEqual({ [question.key]: key });
        }
        await page.goto(link);
        await expect(ticket.locator("[aria-pressed=true]")).toHaveCount(1);
      });
    });
  }
});

/** The area that two elements share (CSS pixels squared). */
async function overlap(first: Locator, second: Locator): Promise<number> {
  const [a, b] = [await first.boundingBox(), await second.boundingBox()];
  if (a === null || b === null) throw new Error("An element is not visible");
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.max(width, 0) * Math.max(height, 0);
}
