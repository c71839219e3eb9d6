import type { Plugin } from "vite";

/**
 * Leaves out the names that React Router gives its components for developer tools: an assignment keeps a component in
 * the bundle that nothing uses.
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
