import { globSync } from "node:fs";
import { join, relative } from "node:path";
import type { Plugin } from "vite";

const styles = join(import.meta.dirname, "..", "app", "layout", "styles");

/** Puts the `deferred.css` of every feature, in the order of their folders, in the place of `every feature`. */
export function featureStyles(): Plugin {
  return {
    name: "feature-styles",
    enforce: "pre",
    transform: {
      filter: { id: /\/layout\/styles\/deferred\.css/ },
      handler(code) {
        const files = globSync(join(styles, "../../features/**/deferred.css")).toSorted();
        for (const file of files) this.addWatchFile(file);
        const imports = files.map((file) => `@import "${relative(styles, file)}";`);
        return { code: code.replace('@import "every feature";', imports.join("\n")), map: null };
      },
    },
  };
}
