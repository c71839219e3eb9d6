import { type Node, parse } from "acorn";
import { data, type Feature, isTooNew } from "#tests/support/compat/compat-data.ts";

/** ECMAScript 2022 is the last version that all of the oldest browsers read. */
const ECMA_VERSION = 2022;

/** Named like methods of new classes. */
const REACT_EXPORTS = new Set(["use", "createContext"]);

/**
 * Functions and classes that a script calls and one of the oldest browsers lacks, as `URL.parse` or `toWellFormed()`.
 * Without types a method is known by its name alone, so one that an older class has too is not found.
 *
 * @throws {SyntaxError} when the syntax is newer than the oldest browsers
 */
export function newApisIn(script: string): string[] {
  const found = new Set<string>();
  visit(parse(script, { ecmaVersion: ECMA_VERSION, sourceType: "module" }), (node) => {
    if (node.type !== "CallExpression" && node.type !== "NewExpression") return;
    const name = newApi((node as unknown as { callee: Expression }).callee);
    if (name !== null) found.add(name);
  });
  return [...found];
}

type Expression = Node & { name?: string; object?: Expression; property?: Expression; computed?: boolean };

function newApi(callee: Expression): string | null {
  if (callee.type === "Identifier") return isTooNew(globalFeature(callee.name ?? "")) ? (callee.name ?? null) : null;
  const member = callee.type === "MemberExpression" && !callee.computed ? callee.property?.name : undefined;
  if (member === undefined) return null;
  const owner = callee.object?.name ?? callee.object?.property?.name ?? "";
  if (isGlobalObject(owner)) return isTooNew(globalFeature(member)) ? member : null;
  const ownMembers = globalFeature(owner);
  if (ownMembers !== undefined && /^[A-Z]/.test(owner)) {
    return isTooNew(ownMembers[`${member}_static`] ?? ownMembers[member]) ? `${owner}.${member}` : null;
  }
  if (REACT_EXPORTS.has(member)) return null;
  return isNewEverywhere(member) ? `${member}()` : null;
}

function isGlobalObject(name: string): boolean {
  return ["window", "globalThis", "self"].includes(name);
}

function globalFeature(name: string): Feature | undefined {
  const { api, javascript } = data;
  const own = (features: Feature | undefined) =>
    features !== undefined && Object.hasOwn(features, name) ? features[name] : undefined;
  return own(javascript["builtins"]) ?? own(api["Window"]) ?? own(api) ?? own(api["_globals"]);
}

function isNewEverywhere(method: string): boolean {
  const features = methods.get(method);
  return features?.every(isTooNew) ?? false;
}

/** All features of that name, by method name. */
const methods = new Map<string, Feature[]>();
for (const owner of [...Object.values(data.api), ...Object.values(data.javascript["builtins"] ?? {})]) {
  if (typeof owner !== "object") continue;
  for (const [key, feature] of Object.entries(owner as Record<string, Feature>)) {
    if (key === "__compat" || key.endsWith("_static") || key.endsWith("_event")) continue;
    methods.set(key, [...(methods.get(key) ?? []), feature]);
  }
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const value of Object.values(node)) {
    for (const child of [value].flat()) if (typeof child?.type === "string") visit(child, see);
  }
}
