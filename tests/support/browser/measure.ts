import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** How far the page could be scrolled to the side (CSS pixels). */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Controls below a size, save for links within a sentence (WCAG 2.2, 2.5.8, "inline"). */
export function smallTargets(page: Page, smallest: number): Promise<string[]> {
  return page.evaluate((least) => {
    const controls = document.querySelectorAll<HTMLElement>("a[href], button, summary, input:not([type=hidden])");
    return Array.from(controls)
      .filter(
        (control) => control.checkVisibility({ visibilityProperty: true }) && !control.closest("[aria-hidden=true]"),
      )
      .filter((control) => !isInSentence(control) && !isOffScreen(control))
      .map((control) => ({ control, box: control.getBoundingClientRect() }))
      .filter(({ box }) => Math.round(box.height) < least || Math.round(box.width) < least)
      .map(({ control, box }) => `${control.outerHTML.slice(0, 120)} ${box.width}x${box.height}`);

    function isInSentence(control: HTMLElement): boolean {
      if (getComputedStyle(control).display !== "inline") return false;
      const siblings = Array.from(control.parentElement?.childNodes ?? []);
      return siblings.some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== "");
    }

    function isOffScreen(control: HTMLElement): boolean {
      const { right, bottom } = control.getBoundingClientRect();
      return right <= 0 || bottom + scrollY <= 0;
    }
  }, smallest);
}

/** Controls and headings whose text, and not just an ornament, reaches beyond their box. */
export function clippedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    return (
      Array.from(document.querySelectorAll<HTMLElement>("a, button, summary, h1, h2, h3"))
        .filter((element) => element.checkVisibility() && getComputedStyle(element).display !== "inline")
        // What is one pixel wide is there for screen readers alone.
        .filter((element) => element.clientWidth > 1 && textsOf(element).some((text) => reachesBeyond(text, element)))
        .map((element) => element.outerHTML.slice(0, 120))
    );

    function textsOf(element: HTMLElement): DOMRect[] {
      const range = document.createRange();
      range.selectNodeContents(element);
      return Array.from(range.getClientRects()).filter(({ width }) => width > 1);
    }

    function reachesBeyond(text: DOMRect, element: HTMLElement): boolean {
      const box = element.getBoundingClientRect();
      return text.right > box.right + 1 || text.left < box.left - 1 || text.bottom > box.bottom + text.height / 2;
    }
  });
}

/** What axe holds against a page, of WCAG 2.2 A and AA and of its own best practices. */
export async function violations(page: Page): Promise<string[]> {
  // A form that the browser sends comes back with a document that may still be on its way.
  await page.waitForLoadState();
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  // The survey's own page is somebody else's.
  const results = await new AxeBuilder({ page }).withTags(tags).exclude("iframe").analyze();
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
