// Lists the third-party packages that run in production in docs/production-dependencies.md.
import { writeFileSync } from "node:fs";
import { build } from "#scripts/lib/local-site.ts";
import { PRODUCTION_LIST, productionList, productionPackages } from "#scripts/lib/production-packages.ts";

await build();
const packages = productionPackages();
writeFileSync(PRODUCTION_LIST, productionList(packages));
console.log(`docs/production-dependencies.md: ${packages.length} packages`);
