import type { Plugin } from "vite";

/**
 * Replaces Vite's helper that preloads the imports of a dynamic import. The only one, of the tracking code, has none that
 * are not loaded, and every hydrated page would contain the helper.
 */
export function withoutPreloadHelper(): Plugin {
  return {
    name: "without-preload-helper",
    apply: "build",
    enforce: "pre",
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: () => "export const __vitePreload = (load) => load();",
    },
  };
}
