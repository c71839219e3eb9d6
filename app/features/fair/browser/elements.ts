/** @throws if the document has no such element */
export function element<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The document has no #${id}`);
  return found as Kind;
}

/** Sets a text, or empties and hides its element. Screen readers hear each change of a live region, so the same text stays. */
export function setText(id: string, text: string): void {
  const shown = element(id);
  if (shown.textContent !== text) shown.textContent = text;
  shown.hidden = text === "";
}
