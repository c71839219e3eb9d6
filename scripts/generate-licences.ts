import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { readAudit } from "#scripts/lib/audit.ts";
import { root } from "#scripts/lib/commands.ts";
import { build } from "#scripts/lib/local-site.ts";
import { readOptions } from "#scripts/lib/options.ts";
import { PRODUCTION_LIST, productionList, productionPackages } from "#scripts/lib/production-packages.ts";

readOptions({
  command: "npm run generate:licences",
  summary: "Lists what runs in production in docs/production-dependencies.md, and asks npm for known vulnerabilities.",
  options: {},
});

await build();
const packages = productionPackages();
writeFileSync(PRODUCTION_LIST, productionList(packages));
console.log(`docs/production-dependencies.md: ${packages.length} packages`);

const audit = readAudit(
  spawnSync("npm", ["audit", "--omit=dev", "--json"], { cwd: root, encoding: "utf8" }).stdout ?? "",
);
if (audit.kind === "clean") console.log("npm audit --omit=dev: no known vulnerabilities");
if (audit.kind === "unavailable") console.log("npm audit --omit=dev: not supported by this registry; use another one");
if (audit.kind === "vulnerable") {
  console.error(`npm audit --omit=dev: known vulnerabilities in ${audit.packages.join(", ")}`);
  process.exit(1);
}
