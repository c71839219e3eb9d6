import type { Locator, Page } from "@playwright/test";
import * as switches from "#app/switches.ts";
import { failureMessage, messages } from "#app/waitlist/sign-up/messages.ts";
import { declineCookies } from "#scripts/lib/decline-cookies.ts";
import { holdRequests } from "#tests/support/browser/hydration-control.ts";
import { formOn, openHydrated } from "#tests/support/browser/sign-up-form.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { HEADER_WITH_FRINGE, holderLine, holderOn, JOINED, sided, ticketOn } from "#tests/support/browser/ticket.ts";
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
  await expect(ticket.getByText("confirm your address")).toHaveCount(0);
  if (switches.share) await expect(ticket.getByRole("button", { name: /^Share/ })).toBeVisible();
  if (switches.roadmap) await expect(ticket.getByRole("link", { name: "Read the roadmap" })).not.toHaveClass(/button/);
  const again = formOn(page).again;
  expect(await bottomOf(ticket)).toBeLessThanOrEqual((await again.boundingBox())?.y ?? 0);
  await page.clock.runFor(6_000);
  await expect(formOn(page).message).toHaveText("");
  await expect(formOn(page).email).toHaveValue("");
  await expect(ticket).toBeVisible();

  const answer = choiceQuestions[0] && Object.values(choiceQuestions[0].answers ?? {})[0];
  const release = await holdRequests(page, "**/api/answers");
  if (answer !== undefined) {
    await ticket.getByRole("button", { name: answer, exact: true }).click();
    await expect(ticket.locator("[aria-pressed=true]")).toHaveText(answer);
  }
  await again.click();
  await formOn(page).form.getByRole("link", { name: "Privacy policy" }).click();
  await page.clock.runFor(1_000);
  await expect(page.getByRole("heading", { level: 1, name: "Privacy" })).toBeVisible();
  await page.goBack();
  await expect(ticket).toBeVisible();
  release();
  if (answer !== undefined) await expect(ticket.locator("[aria-pressed=true]")).toHaveText(answer);
  // Nothing is stored in the browser.
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.getItem("ticket")])).toEqual([0, null]);
  expect((await context.cookies()).map(({ name }) => name)).toEqual([]);
});

for (const [width, height] of [
  [360, 640],
  [1280, 800],
] as const) {
  for (const id of switches.waysToHelp ? ["join", "join-help"] : ["join"]) {
    test(`the ticket of #${id} shifts nothing at ${width} px, however late it comes`, slow, async ({ page, site }) => {
      await page.setViewportSize({ width, height });
      await page.route("**/api/signup", async (route) => {
        // Browsers excuse shifts for half a second after a click.
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        await route.continue();
      });
      await openHydrated(page, site.url);
      const form = page.locator(`form#${id}`);
      await form.getByPlaceholder("Enter your email").fill(`shift-${id}-${width}@example.com`);
      const shifts = await recordShifts(page);
      await form.getByRole("button").click();
      await expect(ticketOn(page)).toBeInViewport();
      await expect(form.getByText(JOINED)).toBeInViewport();
      // Until the message has gone, so that all scrolling has ended.
      await expect(form.getByRole("status")).toHaveText("");
      expect((await shifts()).filter(({ followsInput }) => !followsInput)).toEqual([]);
    });
  }
}

test("no message of a form moves anything", slow, async ({ page, context, site }) => {
  await declineCookies(context, site.url);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openHydrated(page, site.url);
  const field = formOn(page).email;
  for (const width of [320, 360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await field.scrollIntoViewIfNeeded();
    await field.fill("not an address");
    const before = await positions(page);
    for (const text of [messages["invalid-email"], messages["rate-limited"], failureMessage("AB12CD34")]) {
      const isInvalid = text === messages["invalid-email"];
      const refusal = { status: 422, json: { ok: false, error: { code: "invalid-email", message: text } } };
      if (!isInvalid) await page.route("**/api/signup", (route) => route.fulfill(refusal), { times: 1 });
      await field.fill(isInvalid ? "not an address" : "ada@example.com");
      await formOn(page).button.click();
      await expect(formOn(page).message).toHaveText(text);
      expect(await positions(page), `${text} at ${width} px`).toEqual(before);
    }
  }
});

test("the ticket takes the focus that was in the form, and leaves one elsewhere", slow, async ({ page, site }) => {
  for (const place of ["form", "header"]) {
    await openHydrated(page, site.url);
    const link =
      place === "form"
        ? formOn(page).form.getByRole("link", { name: "Privacy policy" })
        : page.getByRole("banner").getByRole("link").first();
    await formOn(page).email.fill(`focus-${place}@example.com`);
    const release = await holdRequests(page, "**/api/signup");
    await page.keyboard.press("Enter");
    await link.focus();
    release();
    await expect(formOn(page).message).toHaveText(JOINED);
    await expect(ticketOn(page)).toBeVisible();
    await expect(place === "form" ? ticketOn(page) : link).toBeFocused();
  }
});

test(
  "the ticket of another address takes the focus too, also of an address that was suggested",
  slow,
  async ({ page, site }) => {
    await openHydrated(page, site.url);
    await formOn(page).submit("another@gmial.com");
    await expect(ticketOn(page)).toBeFocused();
    await ticketOn(page).getByRole("button", { name: "Use another@gmail.com instead" }).click();
    await expect(formOn(page).message).toHaveText(JOINED);
    await expect(ticketOn(page)).toBeFocused();
    await formOn(page).submitAnother("another@example.com");
    await expect(formOn(page).message).toHaveText(JOINED);
    await expect(ticketOn(page)).toBeFocused();
  },
);

test("the success message covers no field where the ticket does not load", async ({ page, site }) => {
  await page.route(/\/ticket-[^/]+\.js$/, (route) => route.abort());
  await openHydrated(page, site.url);
  await formOn(page).submit("no-ticket@example.com");
  const { form, email, message } = formOn(page);
  await expect(message).toHaveText(JOINED);
  for (const part of [form.getByText("Your email address"), email, message.getByText(JOINED)])
    await expect.poll(() => isSeen(part)).toBe(true);
});

test("a form that is closed again takes its error with it", slow, async ({ page, site }) => {
  await openHydrated(page, site.url);
  await formOn(page).submit("closes@example.com");
  await expect(formOn(page).message).toHaveText("");
  await formOn(page).submitAnother("not an address");
  const error = formOn(page).message.getByText(messages["invalid-email"]);
  await expect(error).toBeVisible();
  await formOn(page).again.click();
  await expect(formOn(page).email).toBeHidden();
  await expect(error).toBeHidden();
});

test("a printed ticket has its date and its link, without buttons", async ({ page, site }) => {
  await openHydrated(page, site.url);
  await formOn(page).submit("prints@example.com");
  await expect(ticketOn(page)).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(holderOn(page)).toBeVisible();
  await expect(holderOn(page)).toHaveText(holderLine());
  if (switches.referrals) await expect(ticketOn(page).locator(".own-link-address")).toBeVisible();
  await expect(ticketOn(page).getByRole("button")).toHaveCount(0);
  await expect(page.getByText("Add another address").filter({ visible: true })).toHaveCount(0);
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(`the answer ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });
    test.skip(sided === undefined, "app/site.ts has no question with sides.");

    test("is on the ticket with the date after one press, and the ticket stays in view", async ({ page, site }) => {
      await page.setViewportSize({ width: 360, height: 640 });
      await (javaScriptEnabled ? openHydrated(page, site.url) : page.goto(site.url));
      await formOn(page).submit(`holder-${javaScriptEnabled}@example.com`);
      await expect(holderOn(page)).toHaveText(holderLine());
      const [link] = await ticketOn(page).locator(".own-link-address").allTextContents();
      const answer = ticketOn(page).getByRole("button", { name: sided?.words ?? "", exact: true });
      await answer.click();
      await expect(holderOn(page)).toHaveText(holderLine(sided?.words));
      await expect(answer).toHaveAttribute("aria-pressed", "true");
      for (const part of [ticketOn(page).getByRole("heading").first(), holderOn(page), answer])
        await expect.poll(() => isSeen(part)).toBe(true);
      expect((await ticketOn(page).locator(".own-link-address").allTextContents())[0]).toBe(link);
    });
  });
}

test("an answer moves nothing", slow, async ({ page, context, site }) => {
  test.skip(choiceQuestions.length === 0, "app/site.ts has no question with answers to choose from.");
  await declineCookies(context, site.url);
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const [width, height] of [
    [320, 640],
    [360, 640],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await openHydrated(page, site.url);
    await formOn(page).submit(`unmoved-${width}@example.com`);
    await expect(ticketOn(page)).toBeVisible();
    await expect(formOn(page).message).toHaveText("");
    const answers = ticketOn(page).locator(".question-choices button");
    await answers.last().scrollIntoViewIfNeeded();
    const before = [await page.evaluate(() => scrollY), ...(await positions(page))];
    for (const answer of await answers.all()) {
      const response = page.waitForResponse("**/api/answers");
      await answer.click();
      await response;
      await expect(answer).toHaveAttribute("aria-pressed", "true");
      await expect(answer).not.toHaveAttribute("aria-disabled");
      expect([await page.evaluate(() => scrollY), ...(await positions(page))], `${width} px`).toEqual(before);
    }
  }
});

for (const [width, height] of [
  [360, 640],
  [390, 844],
  [1280, 720],
] as const) {
  test(`message, heading and first question are seen after joining at ${width} × ${height}`, async ({ page, site }) => {
    await page.setViewportSize({ width, height });
    await openHydrated(page, site.url);
    await formOn(page).submit(`seen-${width}@example.com`);
    const ticket = ticketOn(page);
    const parts = [formOn(page).form.getByText(JOINED), ticket.getByRole("heading").first()];
    if (choiceQuestions.length > 0) parts.push(ticket.locator("legend").first());
    for (const part of parts) await expect.poll(() => isSeen(part)).toBe(true);
    await expect(ticket).toBeFocused();
    await page.keyboard.press("Tab");
    expect(await ticket.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  });
}

test("the success message is still seen after four of its five seconds, on a phone with the cookie banner", async ({
  page,
  site,
}) => {
  await page.clock.install({ time: 0 });
  await page.setViewportSize({ width: 360, height: 640 });
  await openHydrated(page, site.url);
  await page.clock.pauseAt(3_600_000);
  const loaded = page.waitForResponse(/\/ticket-[^/]+\.js$/);
  await formOn(page).submit("lasts@example.com");
  const message = formOn(page).form.getByText(JOINED);
  await expect(message).toBeVisible();
  await loaded;
  for (let passed = 0; passed < 4_000; passed += 500) await page.clock.runFor(500);
  await expect(ticketOn(page)).toBeVisible();
  await expect.poll(() => isSeen(message)).toBe(true);
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(`after joining, ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test("every form steps back behind one press, and an error does not close it", async ({ page, site }) => {
      await (javaScriptEnabled ? openHydrated(page, site.url) : page.goto(site.url));
      await expect(page.getByText("Add another address")).toHaveCount(0);
      await formOn(page).submit(`steps-back-${javaScriptEnabled}@example.com`);
      await expect(formOn(page).message).toHaveText(JOINED);
      await expect(ticketOn(page)).toHaveCount(1);
      for (const id of switches.waysToHelp ? ["join-help", "join"] : ["join"]) {
        const place = page.locator(".sign-up-place", { has: page.locator(`form#${id}`) });
        const parts = [place.getByPlaceholder("Enter your email"), place.getByRole("link", { name: "Privacy policy" })];
        for (const part of parts) await expect(part).toBeHidden();
        await place.getByText("Add another address").click();
        for (const part of parts) await expect(part).toBeVisible();
      }
      await formOn(page).submit(`steps-back-${javaScriptEnabled}@example.com`);
      await expect(formOn(page).message).toHaveText(messages["already-joined"]);
      await expect(formOn(page).email).toBeVisible();
    });
  });
}

test("a link to the form leads to the ticket", async ({ page, site }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await openHydrated(page, site.url);
  await formOn(page).submit("anchor@example.com");
  await expect(ticketOn(page)).toBeVisible();
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy policy" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Privacy" })).toBeVisible();
  await page.getByRole("banner").getByRole("link", { name: /Join/ }).click();
  await expect.poll(() => isSeen(ticketOn(page).getByRole("heading").first())).toBe(true);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  for (const { width, height, declined, id } of [
    { width: 320, height: 568, declined: true, id: "join" },
    // The cookie banner covers a third of the screen.
    { width: 360, height: 640, declined: false, id: "join" },
    ...(switches.waysToHelp ? [{ width: 360, height: 640, declined: false, id: "join-help" }] : []),
    { width: 1280, height: 640, declined: false, id: "join" },
  ]) {
    test(`message, heading and first question are in view after a post of #${id} at ${width} × ${height}`, async ({
      page,
      context,
      site,
    }) => {
      if (declined) await declineCookies(context, site.url);
      await page.setViewportSize({ width, height });
      await page.goto(site.url);
      const form = page.locator(`form#${id}`);
      await form.getByPlaceholder("Enter your email").fill(`view-${id}-${width}@example.com`);
      await form.getByRole("button").first().click();
      const ticket = ticketOn(page);
      await expect(ticket).toBeVisible();
      const parts = [form.getByText(JOINED), ticket.getByRole("heading").first()];
      if (choiceQuestions.length > 0) parts.push(ticket.locator("legend").first());
      for (const part of parts) await expect.poll(() => isSeen(part)).toBe(true);
    });
  }
});

/** Whether an element is whole on the screen, between the header's fringe and the cookie banner, and nothing covers it. */
function isSeen(part: Locator): Promise<boolean> {
  return part.evaluate((element, top) => {
    const box = element.getBoundingClientRect();
    const bottom = document.querySelector(".consent:not([hidden])")?.getBoundingClientRect().top ?? innerHeight;
    const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return (
      box.top >= top && box.bottom <= bottom && found !== null && (element.contains(found) || found.contains(element))
    );
  }, HEADER_WITH_FRINGE);
}

const bottom = (box: { y: number; height: number } | null) => (box?.y ?? 0) + (box?.height ?? 0);

async function bottomOf(part: Locator): Promise<number> {
  return bottom(await part.boundingBox());
}

/** Where everything that a message could move is on the page. */
function positions(page: Page): Promise<number[]> {
  return page
    .locator("main :is(h1, h2, h3, p:not(.sign-up-message), input, button, svg), footer")
    .evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().top + scrollY));
}

/** Layout shifts from now on, with what has moved; Cumulative Layout Shift counts those that follow no input. */
async function recordShifts(page: Page) {
  const shifts = await page.evaluateHandle(() => {
    const seen: { moved: string; followsInput: boolean }[] = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as LayoutShift[]) {
        const moved = entry.sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 60) : ""));
        seen.push({ moved: moved.join(), followsInput: entry.hadRecentInput });
      }
    }).observe({ type: "layout-shift" });
    return seen;
  });
  return () => shifts.jsonValue();
}

interface LayoutShift extends PerformanceEntry {
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
}
