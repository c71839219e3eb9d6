import type { Plugin } from "vite";
import * as switches from "#app/switches.ts";

/**
 * Leaves what app/switches.ts switches off out of the build. A bundler follows `import()` wherever it finds one, also where
 * nothing calls it: so the list of features loses the ones that are off, and then files that nothing refers to go.
 */
export function switchedFeatures(): Plugin[] {
  return [
    {
      name: "switched-features",
      enforce: "pre",
      transform: {
        filter: { id: /\/app\/features\.ts$/ },
        handler: (code) => ({ code: withoutOff(code), map: null }),
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
  ];
}

/** The list without what is off: `...(switches.blog ? [blog] : []),` and its import. */
function withoutOff(code: string): string {
  const off = Object.entries(switches).flatMap(([name, isOn]) => (isOn ? [] : [name]));
  return off.reduce((text, name) => {
    const [entry = "", feature = ""] =
      new RegExp(`^.*\\bswitches\\.${name} \\? \\[(\\w+)\\].*\\n`, "m").exec(text) ?? [];
    return entry === ""
      ? text
      : text.replace(entry, "").replace(new RegExp(`^import \\{ ${feature} \\} .*\\n`, "m"), "");
  }, code);
}
