import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";
import { root } from "#scripts/lib/commands.ts";

/** The two bundles of a build: what the browser gets, and the Worker. */
export const bundles = ["client", "ssr"] as const;

type Bundle = (typeof bundles)[number];

/** Code of the site itself, beside the packages in a bundle. */
const OWN = "the site itself";

/**
 * Notes beside each bundle of which packages it holds code, after everything unused has been shaken out, and how much
 * (bytes, gzip, each by itself).
 */
export function noteBundledPackages(): Plugin {
  return {
    name: "note-bundled-packages",
    apply: "build",
    generateBundle(_options, output) {
      const code = new Map<string, string>();
      for (const chunk of Object.values(output)) {
        if (chunk.type !== "chunk") continue;
        for (const [id, module] of Object.entries(chunk.modules)) {
          if (!module.code) continue;
          const part = packageOf(id) ?? OWN;
          code.set(part, (code.get(part) ?? "") + module.code);
        }
      }
      const sizes = [...code].map(([part, text]) => [part, gzipSync(text).length] as const);
      mkdirSync(join(root, "build"), { recursive: true });
      writeFileSync(noteOf(this.environment.name), JSON.stringify(Object.fromEntries(sizes.toSorted(byName))));
    },
  };
}

/**
 * The packages in a bundle of the last build, as folders below node_modules.
 *
 * @throws when there was no build
 */
export function bundledPackages(bundle: Bundle): string[] {
  return Object.keys(bundledSizes(bundle)).filter((part) => part !== OWN);
}

/** What a bundle of the last build is made of, by package (bytes, gzip). */
export function bundledSizes(bundle: Bundle): Record<string, number> {
  return JSON.parse(readFileSync(noteOf(bundle), "utf8"));
}

function byName([one]: readonly [string, number], [other]: readonly [string, number]): number {
  return one < other ? -1 : 1;
}

function noteOf(bundle: string): string {
  return join(root, "build", `packages-${bundle}.json`);
}

function packageOf(moduleId: string): string | undefined {
  return /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(moduleId)?.[1];
}
