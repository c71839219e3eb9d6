import { createHash } from "node:crypto";
import { build, type Plugin } from "vite";
import { buildTargets } from "./oldest-browsers.ts";

/**
 * Lets a module import another one as text, to inline it into a document: `import text from "./main.ts?inline-script"`.
 * The text is the module with its imports, bundled and minified. `version` is a hash of it, for the address of a file.
 */
export function inlineScript(): Plugin {
  return {
    name: "inline-script",
    load: {
      filter: { id: /\?inline-script$/ },
      async handler(id) {
        const { code, moduleIds } = await bundle(id.replace(/\?.*/, ""));
        for (const module of moduleIds) this.addWatchFile(module);
        const version = createHash("sha256").update(code).digest("hex").slice(0, 12);
        return `export default ${JSON.stringify(code)};\nexport const version = "${version}";`;
      },
    },
  };
}

async function bundle(file: string): Promise<{ code: string; moduleIds: string[] }> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    build: {
      target: buildTargets,
      write: false,
      rolldownOptions: { input: file, output: { format: "iife" } },
    },
  });
  if (!("output" in built)) throw new Error(`${file} was not bundled`);
  const [{ code, moduleIds }] = built.output;
  if (/<\/script|<!--/i.test(code)) throw new Error(`${file} would end the script element that contains it`);
  return { code: code.trim(), moduleIds };
}
