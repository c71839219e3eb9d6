/** Keeps a pressed accordion header where it is when the open group above it closes, which happens without a transition. */
export function holdAccordionHeaders(): void {
  addEventListener("click", ({ target }) => {
    const header = (target as Element).closest("[name]>summary");
    if (header === null) return;
    const position = () => header.getBoundingClientRect().top;
    const before = position();
    requestAnimationFrame(() => scrollBy(0, position() - before));
  });
}
