import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "#scripts/lib/commands.ts";
import { configDocs } from "#scripts/lib/config-docs.ts";
import { readOptions } from "#scripts/lib/options.ts";

readOptions({
  command: "npm run generate:config-docs",
  summary:
    "Generates the configuration table in README.md, deploy.env.example, .dev.vars.example and the descriptions in package.json.",
  options: {},
});

for (const { file, text } of configDocs()) {
  writeFileSync(join(root, file), text);
  console.log(file);
}
