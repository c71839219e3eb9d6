import { data, type Feature, isTooNew } from "#tests/support/compat/compat-data.ts";

const { properties = {}, selectors = {}, types = {}, "at-rules": atRules = {} } = data.css;

/** Properties, values, functions, selectors and at-rules of a stylesheet that one of the oldest browsers does not know. */
export function newStylesIn(css: string): string[] {
  const text = css.replaceAll(/\/\*.*?\*\//gs, "").replaceAll(/"[^"]*"|'[^']*'|url\([^)]*\)/g, '""');
  const names = [
    ...declarationsIn(text).flatMap(([property, value]) => newInDeclaration(property, value)),
    ...matches(selectorsIn(text), /::?([a-z-]+)/g)
      .filter((name) => isTooNew(selectors[name]))
      .map((name) => `:${name}`),
    ...matches(text, /@([a-z-]+)/g)
      .filter((name) => isTooNew(atRules[name]))
      .map((name) => `@${name}`),
    ...matches(text, /@media[^{]*?\(([a-z-]+)/g)
      .filter((name) => isTooNew(atRules["media"]?.[name]))
      .map((name) => `@media (${name})`),
  ];
  return [...new Set(names)];
}

/** Everything outside of innermost blocks, which hold declarations. */
function selectorsIn(text: string): string {
  return text.replaceAll(/\{[^{}]*\}/g, "{}").replaceAll(/@[^{]*/g, "");
}

function declarationsIn(text: string): [property: string, value: string][] {
  return Array.from(text.matchAll(/[{;]\s*([a-z-]+)\s*:([^;{}]*)(?=[;}])/g), ([, property = "", value = ""]) => [
    property,
    value,
  ]);
}

function newInDeclaration(property: string, value: string): string[] {
  const feature = properties[property];
  if (isTooNew(feature)) return [property];
  const words = matches(value, /(?<![\w-])([a-z][a-z-]*)(?![\w(-])/g);
  return [
    ...words.filter((word) => isTooNew(feature?.[word])).map((word) => `${property}: ${word}`),
    ...matches(value, /([a-z][a-z-]*)\(/g)
      .filter((name) => isTooNew(functions.get(name)))
      .map((name) => `${name}()`),
  ];
}

function matches(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, name = ""]) => name);
}

/** CSS functions by name, from any depth of the data about types. */
const functions = new Map<string, Feature>();
collect(types);

function collect(features: Feature): void {
  for (const [name, feature] of Object.entries(features)) {
    if (name === "__compat") continue;
    functions.set(name, feature as Feature);
    collect(feature as Feature);
  }
}
