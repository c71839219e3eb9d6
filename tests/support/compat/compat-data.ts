import bcd from "@mdn/browser-compat-data" with { type: "json" };
import type { CompatStatement, Identifier, SimpleSupportStatement } from "@mdn/browser-compat-data";
import { oldestBrowsers } from "#vite/oldest-browsers.ts";

/** MDN's data about one feature; its sub-features are its other properties. https://github.com/mdn/browser-compat-data */
export type Feature = Identifier;

export const data = bcd;

/** Whether one of the oldest supported browsers lacks a feature, so that the page needs a fallback. */
export function isTooNew(feature: Feature | undefined): boolean {
  const support = feature?.__compat?.support;
  return support !== undefined && Object.keys(oldestBrowsers).some((browser) => !hasFeature(support, browser));
}

function hasFeature(support: CompatStatement["support"], browser: string): boolean {
  const statements = support[browser as keyof typeof oldestBrowsers];
  const oldest = oldestBrowsers[browser as keyof typeof oldestBrowsers];
  // Several statements: renamed, behind a flag, or partial at first.
  return [statements ?? []].flat().some((statement) => isSince(statement, oldest));
}

function isSince(statement: SimpleSupportStatement, oldest: string): boolean {
  const { version_added, version_removed, partial_implementation, flags, alternative_name } = statement;
  if (typeof version_added !== "string" || flags || alternative_name) return false;
  // A partial implementation that was completed counts as removed in that version.
  if (version_removed && !partial_implementation) return false;
  return version_added.startsWith("≤") || compareVersions(version_added, oldest) <= 0;
}

function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
