// Generates what README.md, deploy.env.example, .dev.vars.example and package.json say about the configuration.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "#scripts/lib/commands.ts";
import { configDocs } from "#scripts/lib/config-docs.ts";

for (const { file, text } of configDocs()) {
  writeFileSync(join(root, file), text);
  console.log(file);
}
