// Generates the configuration table of README.md and deploy.env.example: npm run generate:config-docs
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "#scripts/lib/commands.ts";
import { configDocs } from "#scripts/lib/config-docs.ts";

for (const { file, text } of configDocs()) {
  writeFileSync(join(root, file), text);
  console.log(file);
}
