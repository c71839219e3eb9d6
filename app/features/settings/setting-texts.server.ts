import type { SettingField } from "#app/features/settings/groups.ts";
import { variables } from "#app/server/config/config.server.ts";
import {
  codeTexts,
  isOwnName,
  type SettingName,
  type StoredSettings,
  settingProblem,
} from "#app/server/config/settings.server.ts";

/** A setting as it holds now. */
export interface SettingText {
  text: string;
  from: "here" | "variable" | "code" | "default";
  /** What would hold without a change on the page. */
  base: string;
}

const names = [...Object.keys(codeTexts), ...Object.keys(variables)] as SettingName[];

/** @param vars of the Worker */
export function settingTexts(vars: object, stored: StoredSettings): Record<SettingName, SettingText> {
  const given = new Map<string, unknown>(Object.entries(vars));
  const entries = names.map((name): [SettingName, SettingText] => {
    const base = baseOf(name, given.get(name));
    const here = stored[name];
    const counts = here !== undefined && settingProblem(name, here) === null;
    return [name, counts ? { ...base, text: here, from: "here" } : base];
  });
  return Object.fromEntries(entries) as Record<SettingName, SettingText>;
}

function baseOf(name: SettingName, variable: unknown): SettingText {
  if (isOwnName(name)) {
    const text = codeTexts[name];
    return { text, from: "code", base: text };
  }
  // Cloudflare passes some as numbers.
  const text = variable === undefined ? "" : String(variable);
  const from = text === "" ? "default" : "variable";
  return { text, from, base: text };
}

/** A value as people read it. */
export function inWords(field: Pick<SettingField, "options" | "none" | "kind"> | undefined, text: string): string {
  if (text === "") return field?.none ?? "";
  if (field?.kind === "photo") return "A photograph";
  return field?.options?.[text] ?? text;
}
