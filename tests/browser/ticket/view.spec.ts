import type { Locator } from "@playwright/test";
import * as switches from "#app/switches.ts";
import { declineCookies } from "#scripts/lib/decline-cookies.ts";
import { hydrate } from "#scripts/lib/hydrated.ts";
import { formOn, openHydrated, REFUSED_BY_SERVER } from "#tests/support/browser/sign-up-form.ts";
import { slowUnless } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { HEADER_WITH_FRINGE, JOINED, ticketOn } from "#tests/support/browser/ticket.ts";
import { choiceQuestions } from "#tests/support/site-answers.ts";

/** The second without room for ticket and form, the third with the cookie banner over a third of the screen. */
const screens = [
  { width: 320, height: 568, declined: true },
  { width: 360, height: 640, declined: true },
  { width: 360, height: 640, declined: false },
  { width: 360, height: 740, declined: true },
  { width: 1280, height: 640, declined: false },
  { width: 1280, height: 800, declined: false },
  { width: 2560, height: 1440, declined: true },
];
/** The second form is as high as the first: it is tried where there is the least room. */
const idsAt = (isTightest: boolean) => (switches.waysToHelp && isTightest ? ["join", "join-help"] : ["join"]);

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    for (const { width, height, declined } of screens) {
      for (const id of idsAt(height === 640 && !declined)) {
        test(
          `message, heading and first question are in view after a post, #${id}, ${width} × ${height}${declined ? "" : " with the banner"}`,
          slowUnless(height === 640 && width === 360 && !declined && id === "join"),
          async ({ page, context, site }) => {
            if (declined) await declineCookies(context, site.url);
            await page.emulateMedia({ reducedMotion: "reduce" });
            await page.setViewportSize({ width, height });
            await page.goto(site.url);
            if (javaScriptEnabled) await hydrate(page);
            const form = page.locator(`form#${id}`);
            await form
              .getByPlaceholder("Enter your email")
              .fill(`view-${id}-${width}-${height}-${declined}-${javaScriptEnabled}@example.com`);
            await form.getByRole("button").first().click();
            const ticket = ticketOn(page);
            await expect(ticket).toBeVisible();
            const parts = [form.getByText(JOINED), ticket.getByRole("heading")];
            if (choiceQuestions.length > 0) parts.push(ticket.locator("legend").first());
            for (const part of parts) await expect.poll(() => isSeen(part)).toBe(true);
          },
        );
      }
    }
  });
}

test("on a phone the answers are large enough to press, in two columns", async ({ page, site }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize({ width: 360, height: 740 });
  await openHydrated(page, site.url);
  await formOn(page).submit("ticket-columns@example.com");
  const buttons = ticketOn(page).getByRole("group").first().getByRole("button");
  await expect(ticketOn(page)).toBeVisible();
  const boxes = await buttons.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
  if (boxes.length === 4) expect(new Set(boxes.map(({ x }) => Math.round(x))).size).toBe(2);
  for (const box of boxes) expect(box.height).toBeGreaterThanOrEqual(44);
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
    for (const id of idsAt(width === 360)) {
      test(
        `after a refused post by #${id} the form is in view and clear of the header, ${width} px`,
        slowUnless(id === "join" && width !== 768),
        async ({ page, context, site }) => {
          await declineCookies(context, site.url);
          await page.setViewportSize({ width, height });
          await page.goto(site.url);
          const form = page.locator(`form#${id}`);
          await form.scrollIntoViewIfNeeded();
          await form.getByPlaceholder("Enter your email").fill(REFUSED_BY_SERVER);
          await form.getByRole("button").click();
          const message = form.locator(".sign-up-message");
          await expect(message).not.toHaveText("");
          for (const part of [form.locator("label").first(), form.getByPlaceholder("Enter your email"), message])
            await expect.poll(() => isSeen(part)).toBe(true);
        },
      );
    }
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
