import { type RefObject, useLayoutEffect, useState } from "react";

/**
 * Keeps a form where it is on the screen while its ticket appears above it, as scroll anchoring does where browsers have
 * it and the page is not at its top. Then scrolls so that both can be seen, if they fit.
 *
 * @param id of the form; without a form of this id nothing happens
 */
export function useSteadyForm(id: string, ticket: RefObject<HTMLElement | null>): void {
  const [before] = useState(() => topOf(id));

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the ticket appears
  useLayoutEffect(() => {
    const moved = (topOf(id) ?? 0) - (before ?? 0);
    if (before === undefined || moved === 0) return;
    scrollBy({ top: moved, behavior: "instant" });
    requestAnimationFrame(() => {
      ticket.current?.scrollIntoView({ block: "nearest" });
      document.getElementById(`${id}-message`)?.scrollIntoView({ block: "nearest" });
    });
  }, []);
}

function topOf(id: string): number | undefined {
  if (import.meta.env.SSR) return undefined;
  return document.getElementById(id)?.getBoundingClientRect().top;
}
