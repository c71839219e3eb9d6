/* The page shows one view at a time. Their elements have these ids, and headings with `-heading`. */

const views = ["set-up", "entry", "thanks", "ended"] as const;

type View = (typeof views)[number];

let current: View | undefined;

export function currentView(): View | undefined {
  return current;
}

/** Shows a view from its top and moves the focus to its heading, which screen readers then read. */
export function showView(view: View): void {
  if (view === current) return;
  const isFirst = current === undefined;
  current = view;
  for (const name of views) element(name).hidden = name !== view;
  scrollTo(0, 0);
  // Not to the field: on a tablet the keyboard would cover half of the promise before anyone has read it.
  if (!isFirst) element(`${view}-heading`).focus();
}

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
