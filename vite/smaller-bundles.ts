import type { Plugin } from "vite";

/** Leaves out of the bundles what no page needs. */
export function smallerBundles(): Plugin[] {
  return [
    {
      // React Router's `displayName` assignments are side effects, and so keep unused components.
      name: "without-display-names",
      apply: "build",
      transform: {
        filter: { id: /\/node_modules\/react-router\// },
        handler: (code) => ({ code: code.replaceAll(/^\w+\.displayName = "[^"\n]*";$/gm, ""), map: null }),
      },
    },
    {
      // Vite's helper preloads the imports of a dynamic import. The only one, of the tracking code, has none that are not
      // loaded, and every hydrated page would contain the helper.
      name: "without-preload-helper",
      apply: "build",
      enforce: "pre",
      load: {
        filter: { id: /^\0vite\/preload-helper\.js$/ },
        handler: () => "export const __vitePreload = (load) => load();",
      },
    },
  ];
}
