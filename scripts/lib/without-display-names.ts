import type { Plugin } from "vite";

/**
 * Removes React Router's `displayName` assignments, which are side effects and so keep unused components in the bundle.
 */
export function withoutDisplayNames(): Plugin {
  return {
    name: "without-display-names",
    apply: "build",
    transform: {
      filter: { id: /\/node_modules\/react-router\// },
      handler: (code) => ({ code: code.replaceAll(/^\w+\.displayName = "[^"\n]*";$/gm, ""), map: null }),
    },
  };
}
