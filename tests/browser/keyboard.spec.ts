import type { Locator, Page } from "@playwright/test";
import { needs } from "#tests/support/browser/needs.ts";
import { formOn, openHydrated } from "#tests/support/browser/sign-up-form.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { JOINED, ticketOn } from "#tests/support/browser/ticket.ts";

for (const path of ["/", "/privacy"]) {
  test(`Tab reaches every control of ${path} in order, visibly focused and never covered, and back`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width: 1280, height: 700 });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto(`${site.url}${path}`);
    const expected = await controlsIn(page.locator("html"));
    expect(expected.length).toBeGreaterThan(10);
    const stops = [
      ...expected.map((name) => ({ key: "Tab", name })),
      ...expected
        .slice(0, -1)
        .reverse()
        .map((name) => ({ key: "Shift+Tab", name })),
    ];
    for (const { key, name } of stops) {
      await page.keyboard.press(key);
      await expect.poll(() => focused(page), key).toEqual({ name, hasRing: true, isCovered: false });
    }
  });
}

for (const [width, height] of [
  [360, 640],
  [1280, 700],
] as const) {
  test(`Tab goes through a ticket in order, visibly focused and never covered, at ${width} px`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await openHydrated(page, site.url);
    await formOn(page).submit(`tab-${width}@example.com`);
    await expect(ticketOn(page)).toBeFocused();
    const expected = await controlsIn(ticketOn(page));
    expect(expected.length).toBeGreaterThan(0);
    for (const name of expected) {
      await page.keyboard.press("Tab");
      await expect.poll(() => focused(page)).toEqual({ name, hasRing: true, isCovered: false });
    }
  });
}

test("the skip link is the first tab stop and skips the header", async ({ page, site }) => {
  await page.goto(site.url);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#main$/);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("main").locator(":focus")).toHaveCount(1);
});

test("at 320 px the keyboard opens the menu, closes it with Escape, and follows a link", async ({ page, site }) => {
  needs("roadmap");
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(site.url);
  const header = page.getByRole("banner");
  const roadmap = header.getByRole("link", { name: "Roadmap" });
  await header.getByRole("button", { name: "Menu" }).focus();
  await page.keyboard.press("Enter");
  await expect(roadmap).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(roadmap).toBeHidden();
  await expect(header.getByRole("button", { name: "Menu" })).toBeFocused();

  await page.keyboard.press("Enter");
  await roadmap.focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${site.url}/roadmap`);
  await expect(roadmap).toBeHidden();
});

test("the form can be submitted by keyboard", async ({ page, site }) => {
  await page.goto(site.url);
  await page.locator("form#join input[name=email]").focus();
  await page.keyboard.type("keys@example.com");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.locator("form#join").getByRole("status")).toHaveText(JOINED);
});

/** The names here of what Tab reaches. Radio buttons of a name are one stop, at the checked one. */
function controlsIn(part: Locator): Promise<string[]> {
  const controls = "a[href], button, summary, input:not([type=hidden], [type=radio]:not(:checked)), iframe";
  return part
    .locator(controls)
    .evaluateAll((elements: HTMLElement[]) =>
      elements
        .filter((control) => control.checkVisibility({ visibilityProperty: true }) && control.tabIndex >= 0)
        .map((control) => [control.tagName, control.id, control.getAttribute("href"), control.textContent].join("|")),
    );
}

/** The focused element by its name here, whether it has a focus ring, and whether something covers it. */
function focused(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const shown = element.closest<HTMLElement>(":focus-within") ?? element;
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const hasRing = style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 2;
    const atCentre = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const isCovered = !(atCentre !== null && (element.contains(atCentre) || atCentre.contains(shown)));
    return {
      name: [element.tagName, element.id, element.getAttribute("href"), element.textContent].join("|"),
      hasRing,
      isCovered,
    };
  });
}
