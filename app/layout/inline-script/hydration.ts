import { DEFERRED, HYDRATED_EVENT } from "#app/layout/hydration/deferred-hydration.ts";
import { LOADING_TIMEOUT } from "#app/layout/inline-script/progress.ts";

/** Runs the deferred scripts. A second call finds none. */
export function startHydration(): void {
  for (const script of document.querySelectorAll<HTMLScriptElement>(`[type^="${DEFERRED}"]`)) {
    script.type = script.type.slice(DEFERRED.length);
    // A script runs when it is inserted; Trusted Types allow it because its text is unchanged.
    (script as ChildNode).after(script);
  }
}

export function hydrateOnResponse(): void {
  if (document.querySelector("[data-hydrate=now],[data-hydrate]:focus")) startHydration();
}

/** Scrolls accordion headers that the keyboard reaches clear of the fixed header: Firefox leaves partly visible ones. */
export function handleFocus(): void {
  addEventListener("focusin", (event) => {
    const element = event.target as Element;
    if (element.matches("[data-hydrate]")) startHydration();
    if (element.matches("summary:focus-visible")) element.scrollIntoView({ block: "nearest" });
  });
}

/**
 * Hydrates when a button that means nothing without React is pressed. It is busy until `HydrationBoundary` presses it again.
 * If the scripts do not arrive, this shows the link that is its value.
 */
export function holdPress(): void {
  function press(event: Event) {
    const button = (event.target as Element).closest("[type=button]:not([popovertarget])");
    if (!button) return;
    // React may have attached its handlers already, and would handle both this event and its replay.
    event.stopPropagation();
    button.setAttribute("aria-busy", "true");
    startHydration();
    setTimeout(giveUp, LOADING_TIMEOUT);
  }

  function giveUp() {
    for (const button of document.querySelectorAll<HTMLButtonElement>("[aria-busy]")) {
      button.removeAttribute("aria-busy");
      prompt(button.textContent as string, button.value);
    }
  }

  addEventListener("click", press, true);
  // Of a script that is blocked. Pictures have errors too.
  addEventListener("error", ({ target }) => (target as Element).localName === "script" && giveUp(), true);
  document.addEventListener(HYDRATED_EVENT, () => removeEventListener("click", press, true));
}
