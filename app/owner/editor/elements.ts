/* Makes elements one by one: the pages' policy allows no markup from scripts. */

type Child = Node | string;

/** @param properties those of the element; names with a hyphen, and `role`, are attributes */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Record<string, unknown> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") element.setAttribute(name, String(value));
    else Object.assign(element, { [name]: value });
  }
  element.replaceChildren(...children);
  return element;
}

/** Puts an element in front of another one. */
export function putBefore(element: Element, next: Element | null): void {
  next?.parentNode?.insertBefore(element, next);
}

/** The time of day, such as 14:05. */
export function clock(at: number): string {
  return new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}
