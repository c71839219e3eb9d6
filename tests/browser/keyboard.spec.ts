import type { Page } from "@playwright/test";
import { declineCookies } from "#scripts/lib/decline-cookies.ts";
import { paths } from "#scripts/lib/site-paths.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

/** The banner stands above every page, and changes none of its controls. */
for (const [path, banner] of [["/", true] as const, ...paths.map((path) => [path, false] as const)]) {
  const state = banner ? "with the cookie banner" : "without the cookie banner";
  test(
    `Tab reaches every control of ${path} ${state} in order, visibly focused and never covered`,
    slowUnless(path === "/" && banner),
    async ({ page, context, site }) => {
      if (!banner) await declineCookies(context, site.url);
      await page.setViewportSize({ width: 1280, height: 700 });
      await page.emulateMedia({ reducedMotion: "reduce" });
      await page.goto(`${site.url}${path}`);
      const expected = await page.evaluate(() =>
        Array.from(document.querySelectorAll<HTMLElement>("a[href], button, summary, input:not([type=hidden]), iframe"))
          .filter((control) => control.checkVisibility({ visibilityProperty: true }) && control.tabIndex >= 0)
          .map(({ outerHTML }) => outerHTML),
      );
      expect(expected.length).toBeGreaterThan(10);
      for (const html of expected) {
        await page.keyboard.press("Tab");
        await expect.poll(() => focused(page)).toEqual({ html, hasRing: true, isCovered: false });
      }
    },
  );
}

test("the skip link is the first tab stop and skips the header", async ({ page, site }) => {
  await page.goto(site.url);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#main$/);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("main").locator(":focus")).toHaveCount(1);
});

test("the keyboard opens one accordion group at a time and closes it again", async ({ page, site }) => {
  needs("features");
  await page.goto(site.url);
  const groups = page.locator("details[name]");
  const open = () => groups.evaluateAll((all) => all.map((group) => (group as HTMLDetailsElement).open));
  await expect.poll(open).toEqual([false, false, false]);
  await groups.nth(0).locator("summary").focus();
  await page.keyboard.press("Enter");
  await expect.poll(open).toEqual([true, false, false]);
  await groups.nth(1).locator("summary").focus();
  await page.keyboard.press("Space");
  await expect.poll(open).toEqual([false, true, false]);
  await page.keyboard.press("Space");
  await expect.poll(open).toEqual([false, false, false]);
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

test("the navigation marks the current page", slow, async ({ page, site }) => {
  needs("roadmap", "survey");
  for (const [path, name] of [
    ["/", "Home"],
    ["/roadmap", "Roadmap"],
    ["/survey", "Survey"],
  ]) {
    await page.goto(`${site.url}${path}`);
    await expect(page.getByRole("banner").locator("[aria-current=page]")).toHaveText([name ?? ""]);
  }
});

for (const id of ["join", "join-help"]) {
  test(`the form #${id} can be submitted by keyboard`, slowUnless(id === "join"), async ({ page, site }) => {
    await page.goto(site.url);
    await page.locator(`form#${id} input[name=email]`).focus();
    await page.keyboard.type(`keys-${id}@example.com`);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page.locator(`form#${id}`).getByRole("status")).toHaveText(
      "Thanks for joining! Please check your email.",
    );
  });
}

/** The focused element, whether it has a focus ring, and whether something covers it. */
function focused(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const shown = element.closest<HTMLElement>(":focus-within") ?? element;
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const hasRing = style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 2;
    const atCentre = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const isCovered = !(atCentre !== null && (element.contains(atCentre) || atCentre.contains(shown)));
    return { html: element.outerHTML, hasRing, isCovered };
  });
}
