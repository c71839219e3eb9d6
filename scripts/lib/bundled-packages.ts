import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { root } from "#scripts/lib/commands.ts";

/** The two bundles of a build: what the browser gets, and the Worker. */
export const bundles = ["client", "ssr"] as const;

type Bundle = (typeof bundles)[number];

/** Notes beside each bundle of which packages it holds code, after everything unused has been shaken out. */
export function noteBundledPackages(): Plugin {
  return {
    name: "note-bundled-packages",
    apply: "build",
    generateBundle(_options, output) {
      const folders = Object.values(output).flatMap((chunk) =>
        chunk.type === "chunk"
          ? Object.entries(chunk.modules).flatMap(([id, { code }]) => (code ? packageOf(id) : []))
          : [],
      );
      mkdirSync(join(root, "build"), { recursive: true });
      writeFileSync(noteOf(this.environment.name), JSON.stringify([...new Set(folders)].toSorted()));
    },
  };
}

/**
 * The packages in a bundle of the last build, as folders below node_modules.
 *
 * @throws when there was no build
 */
export function bundledPackages(bundle: Bundle): string[] {
  return JSON.parse(readFileSync(noteOf(bundle), "utf8"));
}

function noteOf(bundle: string): string {
  return join(root, "build", `packages-${bundle}.json`);
}

function packageOf(moduleId: string): string[] {
  const [, folder] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(moduleId) ?? [];
  return folder === undefined ? [] : [folder];
}
