import { type RefObject, useLayoutEffect, useState } from "react";

/**
 * Keeps a form where it is on the screen while its ticket appears above it, then scrolls to the ticket. Browsers with
 * scroll anchoring do the first part and count no layout shift, see ticket.css; in others this scrolls by its height.
 *
 * @param id of the form; without a form of this id nothing happens
 */
export function useSteadyForm(id: string, ticket: RefObject<HTMLElement | null>): void {
  const [before] = useState(() => {
    if (import.meta.env.SSR || topOf(id) === undefined || topOf(`${id}-ticket`) !== undefined) return undefined;
    // The browser chooses its anchor again after a scroll, and has none at the very top.
    scrollBy(0, 1);
    return topOf(id);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the ticket appears
  useLayoutEffect(() => {
    if (before === undefined) return;
    const moved = (topOf(id) ?? before) - before;
    if (Math.abs(moved) > 1) scrollBy(0, moved);
    requestAnimationFrame(() => ticket.current && reveal(ticket.current, id));
  }, []);
}

/** Scrolls to ticket and form, if they fit; where there is little room, to the ticket, below the fixed message. */
function reveal(ticket: HTMLElement, id: string): void {
  const message = document.getElementById(`${id}-message`);
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  if (message && getComputedStyle(message).position === "fixed") ticket.scrollIntoView({ behavior });
  else ticket.closest(".sign-up-place")?.scrollIntoView({ behavior, block: "nearest" });
}

function topOf(id: string): number | undefined {
  return document.getElementById(id)?.getBoundingClientRect().top;
}
