import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";
import { root } from "#scripts/lib/commands.ts";

/** The bundles of a build: the browser's and the Worker's. */
export const bundles = ["client", "ssr"] as const;

type Bundle = (typeof bundles)[number];

/** The name for code that belongs to no package. */
const OWN = "the site itself";

/** Writes a list of the packages in each bundle after tree-shaking, with their sizes (bytes, gzip, each separately). */
export function recordBundledPackages(): Plugin {
  return {
    name: "record-bundled-packages",
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
      writeFileSync(listPath(this.environment.name), JSON.stringify(Object.fromEntries(sizes.toSorted(byName))));
    },
  };
}

/**
 * The packages in a bundle of the last build, as folders in node_modules.
 *
 * @throws when there is no build
 */
export function bundledPackages(bundle: Bundle): string[] {
  return Object.keys(bundledSizes(bundle)).filter((part) => part !== OWN);
}

/** Size of each package in a bundle of the last build (bytes, gzip). */
export function bundledSizes(bundle: Bundle): Record<string, number> {
  return JSON.parse(readFileSync(listPath(bundle), "utf8"));
}

function byName([one]: readonly [string, number], [other]: readonly [string, number]): number {
  return one < other ? -1 : 1;
}

function listPath(bundle: string): string {
  return join(root, "build", `packages-${bundle}.json`);
}

function packageOf(moduleId: string): string | undefined {
  return /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(moduleId)?.[1];
}
