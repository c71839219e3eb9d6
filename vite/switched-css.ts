import type { UserConfig } from "vite";
import * as switches from "#app/switches.ts";

type PostcssOptions = Exclude<NonNullable<UserConfig["css"]>["postcss"], string | undefined>;

export type PostcssPlugin = NonNullable<PostcssOptions["plugins"]>[number];

/** Leaves out the rules of what app/switches.ts switches off: those in a folder, or in a file, of the switch's name. */
export const switchedCss: PostcssPlugin = {
  postcssPlugin: "switched",
  // Imported stylesheets are part of the importing one by now, and each rule knows its file.
  Once(root) {
    for (const rule of [...root.nodes]) if (isOff(rule.source?.input.file ?? "")) rule.remove();
  },
};

const off = new Set(Object.entries(switches).flatMap(([name, isOn]) => (isOn ? [] : [name])));

/** `app/features/blog/deferred.css` and `app/features/landing/ways-to-help.css` have a switch. */
function isOff(file: string): boolean {
  const names = /\/app\/features\/([\w/-]+)\.css(?:\?|$)/.exec(file)?.[1]?.split("/") ?? [];
  return names.map(camelCase).some((name) => off.has(name));
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
