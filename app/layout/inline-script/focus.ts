/**
 * Scrolls accordion headers that the keyboard reaches clear of the fixed header: Firefox leaves an element that is partly
 * visible where it is.
 */
export function keepFocusClear(): void {
  addEventListener("focusin", ({ target }) =>
    (target as Element).closest("summary:focus-visible")?.scrollIntoView({ block: "nearest" }),
  );
}
