import type { Millis } from "#app/server/time/units.ts";
import { BUSY } from "#app/ui/script-attributes.ts";

/** After it nothing counts as loading any more: it was a download, or the connection failed. */
export const LOADING_TIMEOUT: Millis = 10_000;

/** Links that load a document, unless a key or React prevents it. */
const LINKS = "a[href]:not([href^='#'],[href^=mailto],[download])";

/**
 * Marks the link or button that was pressed while a document is loading, and sends each form once. What
 * the banner and React handle themselves has been prevented by the time these listeners run.
 */
export function markLoading(): void {
  let sentForm: Element | null = null;

  function begin(pressed: Element) {
    pressed.setAttribute(BUSY, "");
    setTimeout(end, LOADING_TIMEOUT);
  }

  function end() {
    sentForm = null;
    for (const element of document.querySelectorAll(`[${BUSY}]`)) element.removeAttribute(BUSY);
  }

  addEventListener("click", (event) => {
    const link = (event.target as Element).closest(LINKS);
    // With a key, it opens elsewhere.
    if (!link || event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey) return;
    begin(link);
  });
  addEventListener("submit", (event) => {
    const form = event.target as Element;
    if (form === sentForm) event.preventDefault();
    if (event.defaultPrevented) return;
    sentForm = form;
    begin(event.submitter ?? form);
  });
  // From the browser's history.
  addEventListener("pageshow", ({ persisted }) => persisted && end());
}
