import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { blog } from "#app/switches.ts";

/** Leaves the pictures of sample posts out of the build if app/switches.ts switches the blog off. */
export function switchedFiles(): Plugin {
  return {
    name: "switched-files",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    // Vite has copied `public` by now.
    writeBundle({ dir = "" }) {
      if (!blog) rmSync(join(dir, "posts"), { recursive: true, force: true });
    },
  };
}
