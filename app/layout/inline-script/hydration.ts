import { DEFERRED, HYDRATED_EVENT } from "#app/layout/hydration/deferred-hydration.ts";

/** Runs the deferred scripts. A second call finds none. */
export function startHydration(): void {
  for (const script of document.querySelectorAll<HTMLScriptElement>(`[type^="${DEFERRED}"]`)) {
    script.type = script.type.slice(DEFERRED.length);
    // A script runs when it is inserted; Trusted Types allow it because its text is unchanged.
    (script as ChildNode).after(script);
  }
}

/** Starts hydration when a field that needs it has the focus, and in the response to a form that does. */
export function hydrateOnUse(): void {
  if (document.querySelector("[data-hydrate=now],[data-hydrate]:focus")) startHydration();
  addEventListener("focusin", ({ target }) => (target as Element).matches("[data-hydrate]") && startHydration());
}

/** Hydrates when a button that means nothing without React is pressed, and presses it again. It is busy until then. */
export function replayPress(): void {
  const buttons = document.getElementsByTagName("button");
  /** Hydration may recreate the element. */
  let pressedIndex = -1;

  function press(event: Event) {
    const button = (event.target as Element).closest<HTMLButtonElement>("[type=button]:not([popovertarget])");
    if (!button) return;
    // React may have attached its handlers already, and would handle both this event and its replay.
    event.stopPropagation();
    button.setAttribute("aria-busy", "true");
    pressedIndex = [...buttons].indexOf(button);
    startHydration();
  }

  addEventListener("click", press, true);
  document.addEventListener(HYDRATED_EVENT, () => {
    removeEventListener("click", press, true);
    const button = buttons[pressedIndex];
    button?.removeAttribute("aria-busy");
    button?.click();
  });
}
