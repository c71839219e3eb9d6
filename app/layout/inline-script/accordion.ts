/** Keeps a pressed accordion header where it is when the open group above it closes, which happens without a transition. */
export function holdAccordionHeaders(): void {
  addEventListener("click", ({ target }) => {
    const header = (target as Element).closest("[name]>summary");
    const position = () => header?.getBoundingClientRect().top ?? 0;
    const before = position();
    requestAnimationFrame(() => scrollBy(0, position() - before));
  });
}
