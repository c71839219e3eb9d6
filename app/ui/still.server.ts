import type { ReactElement } from "react";
import { renderToString } from "react-dom/server";

/** Cached variants per component, more than any needs. Bounds memory if a component varies by visitor. */
export const MAX_VARIANTS = 64;

const byElement = new WeakMap<ReactElement, Uint8Array>();
const byComponent = new WeakMap<object, Map<string, Uint8Array>>();

/**
 * The encoded markup of an element, rendered once per element, or once per component and `data`.
 *
 * @param data JSON-serialisable data that determines the markup; without it the element must be a constant
 */
export function markupOf(content: ReactElement, data?: object): Uint8Array {
  return data === undefined ? constantMarkup(content) : variantMarkup(content, JSON.stringify(data));
}

function constantMarkup(content: ReactElement): Uint8Array {
  const markup = byElement.get(content) ?? render(content);
  byElement.set(content, markup);
  return markup;
}

function variantMarkup(content: ReactElement, key: string): Uint8Array {
  const component = Object(content.type);
  const variants = byComponent.get(component) ?? new Map<string, Uint8Array>();
  byComponent.set(component, variants);
  const cached = variants.get(key);
  if (cached !== undefined) return cached;
  if (variants.size >= MAX_VARIANTS) variants.clear();
  const markup = render(content);
  variants.set(key, markup);
  return markup;
}

const encoder = new TextEncoder();

function render(content: ReactElement): Uint8Array {
  return encoder.encode(selfCloseShapes(renderToString(content)));
}

/** Empty SVG elements may be self-closing; React always writes end tags. */
function selfCloseShapes(markup: string): string {
  return markup.replaceAll(/><\/(?:circle|ellipse|path|stop|use)>/g, "/>");
}
