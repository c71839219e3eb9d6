import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Plugin, UserConfig } from "vite";
import * as switches from "#app/switches.ts";

/* Leaves what app/switches.ts switches off out of the build. */

const off = Object.entries(switches).flatMap(([name, isOn]) => (isOn ? [] : [name]));

/**
 * Bundlers follow every `import()`, even one that is never called. So this takes features that are off out of the list, then
 * deletes files that nothing refers to, and pictures of what is off that come from `public`.
 */
export function withoutSwitchedOff(): Plugin[] {
  return [
    {
      name: "without-features",
      enforce: "pre",
      transform: {
        filter: { id: /\/app\/features\.ts$/ },
        handler: (code) => ({ code: off.reduce(withoutFeature, code), map: null }),
      },
    },
    {
      name: "without-unreferenced-files",
      apply: "build",
      generateBundle(_options, bundle) {
        const isReferenced = (name: string) =>
          Object.values(bundle).some(
            (other) => other.fileName !== name && "code" in other && other.code.includes(name.replace(/.*\//, "")),
          );
        for (let before = -1; before !== Object.keys(bundle).length; ) {
          before = Object.keys(bundle).length;
          for (const file of Object.values(bundle)) {
            if (file.type === "chunk" && !file.isEntry && !isReferenced(file.fileName)) delete bundle[file.fileName];
          }
        }
      },
    },
    {
      name: "without-pictures",
      apply: "build",
      applyToEnvironment: ({ name }) => name === "client",
      // Vite has copied `public` by now.
      writeBundle({ dir = "" }) {
        const pictures = { posts: switches.blog, sides: switches.product, "og-friend.png": switches.referrals };
        for (const [name, isOn] of Object.entries(pictures))
          if (!isOn) rmSync(join(dir, name), { recursive: true, force: true });
      },
    },
  ];
}

/** The list without one: `...(switches.blog ? [blog] : []),` and its import. */
function withoutFeature(list: string, name: string): string {
  const pattern = new RegExp(`^.*\\bswitches\\.${name} \\? \\[(\\w+)\\].*\\n`, "m");
  const [entry = "", feature = ""] = pattern.exec(list) ?? [];
  if (entry === "") return list;
  return list.replace(entry, "").replace(new RegExp(`^import \\{ ${feature} \\} .*\\n`, "m"), "");
}

type PostcssOptions = Exclude<NonNullable<UserConfig["css"]>["postcss"], string | undefined>;

export type PostcssPlugin = NonNullable<PostcssOptions["plugins"]>[number];

/** Drops CSS rules whose folder or file is named after something that is switched off. */
export const switchedCss: PostcssPlugin = {
  postcssPlugin: "switched",
  // Imported stylesheets are part of the importing one by now, and each rule knows its file.
  Once(root) {
    for (const rule of [...root.nodes]) if (isOff(rule.source?.input.file ?? "")) rule.remove();
  },
};

/** `app/features/blog/deferred.css`, `app/features/landing/product/proof.css` and `app/features/landing/ways-to-help.css` have a switch. */
function isOff(file: string): boolean {
  const names = /\/app\/features\/([\w/-]+)\.css(?:\?|$)/.exec(file)?.[1]?.split("/") ?? [];
  return names.map(camelCase).some((name) => off.includes(name));
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
