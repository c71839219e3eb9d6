import type { ReactElement } from "react";
import { renderToString } from "react-dom/server";

/** More than a component of ours has; one that had one for each visitor would otherwise fill the memory. */
export const MAX_VARIANTS = 64;

const still = new WeakMap<ReactElement, Uint8Array>();
const shared = new WeakMap<object, Map<string, Uint8Array>>();

/**
 * The markup of content, encoded. It is made once for each element, or for each of its component's variants.
 *
 * @param facts what the markup of a variant follows from; without them content never changes
 */
export function markupOf(content: ReactElement, facts?: object): Uint8Array {
  return facts === undefined ? stillMarkup(content) : sharedMarkup(content, JSON.stringify(facts));
}

function stillMarkup(content: ReactElement): Uint8Array {
  const markup = still.get(content) ?? write(content);
  still.set(content, markup);
  return markup;
}

function sharedMarkup(content: ReactElement, variant: string): Uint8Array {
  const component = Object(content.type);
  const variants = shared.get(component) ?? new Map<string, Uint8Array>();
  shared.set(component, variants);
  const known = variants.get(variant);
  if (known !== undefined) return known;
  if (variants.size >= MAX_VARIANTS) variants.clear();
  const markup = write(content);
  variants.set(variant, markup);
  return markup;
}

const encoder = new TextEncoder();

function write(content: ReactElement): Uint8Array {
  return encoder.encode(closeShort(renderToString(content)));
}

/** Within SVG, elements without content may close themselves; React writes them all out. */
function closeShort(markup: string): string {
  return markup.replaceAll(/><\/(?:circle|ellipse|path|stop|use)>/g, "/>");
}
