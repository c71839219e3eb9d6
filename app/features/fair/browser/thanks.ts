import { currentView, element, showView } from "#app/features/fair/browser/views.ts";
import type { Millis } from "#app/server/time/units.ts";

/** How long thanks fill the screen. The bar's animation in fair.css takes as long. */
const DURATION: Millis = 8_000;

/** A second tap on the button that led here is not meant for this view. */
const GRACE: Millis = 400;

let endTimer: ReturnType<typeof setTimeout> | undefined;
let shownAt = 0;

/** @param onEnd after the time is up, or at a tap or a key */
export function startThanks(onEnd: () => void): void {
  const end = (event: Event) => {
    const isRepeated = event instanceof KeyboardEvent && event.repeat;
    if (currentView() === "thanks" && !isRepeated && performance.now() - shownAt >= GRACE) finish(onEnd);
  };
  // Not `pointerdown`: the tap would go on to what the next view has in its place.
  document.addEventListener("click", end);
  document.addEventListener("keydown", end);
}

/** @param hasEmail false says that our emails do not reach the address */
export function showThanks(hasEmail: boolean, onEnd: () => void): void {
  element("thanks-email").hidden = !hasEmail;
  element("thanks-no-email").hidden = hasEmail;
  shownAt = performance.now();
  showView("thanks");
  clearTimeout(endTimer);
  endTimer = setTimeout(() => finish(onEnd), DURATION);
}

function finish(onEnd: () => void): void {
  clearTimeout(endTimer);
  onEnd();
}
