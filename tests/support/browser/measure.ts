import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** How far the page scrolls sideways (CSS pixels). */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** The days of a chart may be narrow: the table beside it has the same numbers (WCAG 2.2, 2.5.8, "equivalent"). */
const CHART_DAYS = ".chart-days";

/**
 * Controls smaller than `minimum` CSS pixels, except links within a sentence (WCAG 2.2, 2.5.8, "inline") and
 * {@link CHART_DAYS}.
 */
export function smallTargets(page: Page, minimum: number): Promise<string[]> {
  return page.evaluate(
    ({ min, chartDays }) => {
      const controls = document.querySelectorAll<HTMLElement>("a[href], button, summary, input:not([type=hidden])");
      return Array.from(controls)
        .filter(
          (control) => control.checkVisibility({ visibilityProperty: true }) && !control.closest("[aria-hidden=true]"),
        )
        .filter((control) => !isInSentence(control) && !isOffScreen(control) && control.closest(chartDays) === null)
        .map((control) => ({ control, box: targetOf(control).getBoundingClientRect() }))
        .filter(({ box }) => Math.round(box.height) < min || Math.round(box.width) < min)
        .map(({ control, box }) => `${control.outerHTML.slice(0, 120)} ${box.width}x${box.height}`);

      /** A press on its label is a press on a checkbox or a radio button. */
      function targetOf(control: HTMLElement): HTMLElement {
        return (control.matches("[type=checkbox], [type=radio]") && control.closest("label")) || control;
      }

      function isInSentence(control: HTMLElement): boolean {
        if (getComputedStyle(control).display !== "inline") return false;
        return hasTextBeside(control, "previousSibling") || hasTextBeside(control, "nextSibling");
      }

      /** Whether text stands beside the control, before a line break. */
      function hasTextBeside(control: HTMLElement, direction: "previousSibling" | "nextSibling"): boolean {
        for (let node = control[direction]; node !== null && node.nodeName !== "BR"; node = node[direction]) {
          if (node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== "") return true;
        }
        return false;
      }

      function isOffScreen(control: HTMLElement): boolean {
        const { right, bottom } = control.getBoundingClientRect();
        return right <= 0 || bottom + scrollY <= 0;
      }
    },
    { min: minimum, chartDays: CHART_DAYS },
  );
}

/** Controls and headings whose text (not just decoration) overflows their box. */
export function clippedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    return (
      Array.from(document.querySelectorAll<HTMLElement>("a, button, summary, h1, h2, h3"))
        .filter((element) => element.checkVisibility() && getComputedStyle(element).display !== "inline")
        // Elements one pixel wide are for screen readers only.
        .filter((element) => element.clientWidth > 1 && textBoxes(element).some((text) => overflows(text, element)))
        .map((element) => element.outerHTML.slice(0, 120))
    );

    /** Of texts that are not for screen readers only. */
    function textBoxes(element: HTMLElement): DOMRect[] {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const boxes: DOMRect[] = [];
      while (walker.nextNode()) {
        if (walker.currentNode.parentElement?.closest(".visually-hidden")) continue;
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        boxes.push(...range.getClientRects());
      }
      return boxes.filter(({ width }) => width > 1);
    }

    function overflows(text: DOMRect, element: HTMLElement): boolean {
      const box = element.getBoundingClientRect();
      return text.right > box.right + 1 || text.left < box.left - 1 || text.bottom > box.bottom + text.height / 2;
    }
  });
}

/**
 * Texts that lie on each other, as pairs. What lies on the page on purpose is a layer of its own: boxes that stand fixed,
 * and messages with a background. Lines of a text reach into each other's height.
 */
export function overlappingTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const layers = new Map<Element | null, { text: string; box: DOMRect }[]>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { currentNode: node } = walker;
      const parent = node.parentElement;
      const options = { visibilityProperty: true, opacityProperty: true };
      if (node.textContent?.trim() === "" || parent === null || !parent.checkVisibility(options)) continue;
      if (parent.closest("svg, option") !== null || isForScreenReaders(parent)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const texts = Array.from(range.getClientRects())
        .filter(({ width, height }) => width > 2 && height > 2)
        .map(({ x, y, width, height }) => ({
          text: node.textContent?.trim().slice(0, 40) ?? "",
          // The middle of the line, where its letters are.
          box: new DOMRect(x + 1, y + height * 0.3, width - 2, height * 0.4),
        }));
      const layer = layerOf(parent);
      layers.set(layer, [...(layers.get(layer) ?? []), ...texts]);
    }
    return Array.from(layers.values()).flatMap((texts) => {
      const sorted = texts.toSorted((a, b) => a.box.top - b.box.top);
      return sorted.flatMap((one, index) => {
        const found: string[] = [];
        for (const other of sorted.slice(index + 1)) {
          if (other.box.top >= one.box.bottom) break;
          if (one.box.left < other.box.right && other.box.left < one.box.right) {
            found.push(`"${one.text}" and "${other.text}"`);
          }
        }
        return found;
      });
    });

    /** Such texts are in boxes of a pixel, or cut away. */
    function isForScreenReaders(element: Element | null): boolean {
      if (element === null) return false;
      const { width, height } = element.getBoundingClientRect();
      const { overflow, clipPath } = getComputedStyle(element);
      const isCut = (overflow !== "visible" && Math.min(width, height) <= 1) || clipPath === "inset(50%)";
      return isCut || isForScreenReaders(element.parentElement);
    }

    function layerOf(element: Element | null): Element | null {
      if (element === null) return null;
      const { position, backgroundColor } = getComputedStyle(element);
      const isMessage = position === "absolute" && !/, 0\)$|transparent/.test(backgroundColor);
      return isMessage || /fixed|sticky/.test(position) ? element : layerOf(element.parentElement);
    }
  });
}

/** The room that the longest placeholder leaves in its field (CSS pixels). */
export function placeholderRoom(page: Page): Promise<number> {
  return page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d");
    const fields = Array.from(document.querySelectorAll<HTMLInputElement>("[placeholder]"));
    const rooms = fields
      .filter((field) => field.checkVisibility())
      .map((field) => {
        const { paddingLeft, paddingRight } = getComputedStyle(field);
        const { fontWeight, fontSize, fontFamily } = getComputedStyle(field, "::placeholder");
        if (canvas) canvas.font = `${fontWeight} ${fontSize} ${fontFamily}`;
        const text = canvas?.measureText(field.placeholder).width ?? 0;
        return field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - text;
      });
    return Math.min(Number.MAX_SAFE_INTEGER, ...rooms);
  });
}

/** Controls of what stands fixed on the screen with a corner that is off the screen or under something else. */
export function unreachableControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls = Array.from(document.querySelectorAll<HTMLElement>("a[href], button, summary"));
    return controls
      .filter((control) => control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((control) => isFixed(control))
      .filter((control) => {
        const { left, right, top, bottom } = control.getBoundingClientRect();
        const corners = [left + 4, right - 4].flatMap((x) => [top + 4, bottom - 4].map((y) => [x, y] as const));
        return !corners.every(([x, y]) => control.contains(document.elementFromPoint(x, y)));
      })
      .map((control) => control.outerHTML.slice(0, 120));

    function isFixed(element: Element | null): boolean {
      if (element === null || element.matches(".skip-link")) return false;
      return getComputedStyle(element).position === "fixed" || isFixed(element.parentElement);
    }
  });
}

/** axe violations of WCAG 2.2 A and AA and of axe's best practices, or only those of some rules. */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  // After a native form submission the new document may still be loading.
  await page.waitForLoadState();
  // Halfway through a transition, as between the colours of two schemes, a contrast is neither of its ends.
  await page.evaluate(async () => {
    // One that follows the scroll position does not end by itself.
    const timed = document.getAnimations().filter(({ timeline }) => timeline instanceof DocumentTimeline);
    const ending = timed.filter((each) => each.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  // The framed survey is a third party's page.
  const axe = new AxeBuilder({ page }).exclude("iframe");
  if (rules === undefined) axe.withTags(tags);
  else axe.withRules(rules);
  // Legacy mode takes half the time. It only skips frames of other origins.
  const results = await axe.setLegacyMode().analyze();
  return results.violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ html }) => id !== "target-size" || !/^<input type="radio" name="chart-/.test(html))
      .map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
