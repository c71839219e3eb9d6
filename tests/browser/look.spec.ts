import { hydrate } from "#scripts/lib/hydrated.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

test("the three roadmap statuses differ in icon, colour and text", slow, async ({ page, site }) => {
  needs("roadmap");
  await page.goto(`${site.url}/roadmap`);
  const seen = await page.locator("[data-status]").evaluateAll((items) =>
    items.map((item) => ({
      status: item.getAttribute("data-status"),
      icon: item.querySelector("svg")?.innerHTML,
      colour: getComputedStyle(item.querySelector("article") ?? item).borderTopColor,
      text: item.querySelector(".timeline-status")?.textContent,
    })),
  );
  const kinds = [...new Map(seen.map((item) => [item.status, item])).values()];
  expect(kinds).toHaveLength(3);
  for (const key of ["icon", "colour", "text"] as const)
    expect(new Set(kinds.map((kind) => kind[key])).size, key).toBe(3);
});

test(
  "the roadmap's milestones alternate from 768 px up, and stand below each other on narrower screens",
  slow,
  async ({ page, site }) => {
    needs("roadmap");
    await page.goto(`${site.url}/roadmap`);
    const sides = () =>
      page.locator("[data-status] article").evaluateAll((cards) =>
        cards.map((card) => {
          const { left, right } = card.getBoundingClientRect();
          if (right <= innerWidth / 2) return "left";
          return left >= innerWidth / 2 ? "right" : "across";
        }),
      );
    const alternating = ["left", "right", "left", "right", "left", "right", "left"];
    for (const width of [768, 992, 1200, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await sides(), `${width} px`).toEqual(alternating);
    }
    for (const width of [320, 767]) {
      await page.setViewportSize({ width, height: 800 });
      expect(new Set(await sides()), `${width} px`).toEqual(new Set(["across"]));
    }
  },
);

test("the page is animated unless the visitor prefers reduced motion", slow, async ({ page, site }) => {
  needs("features");
  const countAnimations = async (reducedMotion: "reduce" | "no-preference") => {
    await page.emulateMedia({ reducedMotion });
    await page.goto(site.url);
    // In one step, because the transition after the click is short.
    return page.evaluate(() => {
      document.querySelector<HTMLElement>("details[name] > summary")?.click();
      return document.getAnimations().filter((animation) => Number(animation.effect?.getComputedTiming().duration) > 10)
        .length;
    });
  };
  expect(await countAnimations("reduce")).toBe(0);
  expect(await countAnimations("no-preference")).toBeGreaterThan(0);
});

test("a page takes the focus after navigation, and the header does not cover anchors", async ({ page, site }) => {
  needs("roadmap", "survey");
  await page.goto(`${site.url}/roadmap`);
  await hydrate(page);
  await page.getByRole("banner").getByRole("link", { name: "Survey" }).click();
  await expect(page).toHaveURL(`${site.url}/survey`);
  await expect(page.locator("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("main").getByRole("link", { name: "Back to home" })).toBeFocused();

  await page.getByRole("banner").getByRole("link", { name: "Join Waitlist" }).click();
  await expect(page.locator("form#join")).toBeInViewport({ ratio: 1 });
  await expect.poll(async () => (await page.locator("form#join").boundingBox())?.y ?? 0).toBeGreaterThanOrEqual(60);
});

test("the header does not cover the focus when tabbing backwards", slow, async ({ page, site }) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(site.url);
  await page.getByRole("contentinfo").getByRole("link").last().focus();
  for (let stop = 0; stop < 18; stop += 1) {
    await page.keyboard.press("Shift+Tab");
    await expect.poll(() => page.evaluate(hiddenFocus)).toBeNull();
  }
});

/** The focused element, if the header covers it. Runs in the page. */
function hiddenFocus(): string | null {
  const focused = document.activeElement;
  const isInHeader = focused?.closest("header.bar, .skip-link") !== null;
  return !isInHeader && (focused?.getBoundingClientRect().top ?? 0) < 60 ? (focused?.outerHTML ?? null) : null;
}
