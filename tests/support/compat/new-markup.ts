import { data, isTooNew } from "#tests/support/compat/compat-data.ts";

/** Browsers ignore what they do not know in these. */
const HINTS = new Set(["meta", "link"]);

/** Attributes and attribute values of a page that one of the oldest browsers does not know, as `<details name>`. */
export function newMarkupIn(html: string): string[] {
  const found = new Set<string>();
  for (const [, element = "", attributes = ""] of html.matchAll(/<([a-z]+)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*\/?>/gi)) {
    if (HINTS.has(element)) continue;
    for (const [, attribute = "", value = ""] of attributes.matchAll(/\s([\w:-]+)(?:="([^"]*)")?/g)) {
      const name = attribute.toLowerCase();
      const known = data.html["elements"]?.[element]?.[name] ?? data.html["global_attributes"]?.[name];
      if (isTooNew(known))
        found.add(`<${data.html["global_attributes"]?.[name] ? "" : element} ${name}>`.replace("< ", "<"));
      else if (isTooNew(known?.[value])) found.add(`<${element} ${name}="${value}">`);
    }
  }
  return [...found];
}
