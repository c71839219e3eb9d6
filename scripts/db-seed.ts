// Fills a local database with sample entries, to try the owner's pages with a list of any size.
import { parseArgs } from "node:util";
import { migrate } from "#scripts/lib/local-site.ts";
import { databaseFile } from "#scripts/lib/running-site.ts";
import { seed } from "#scripts/lib/seed.ts";

const { values } = parseArgs({
  options: {
    entries: { type: "string", default: "1000" },
    "persist-to": { type: "string", default: ".wrangler/state" },
  },
});
const entries = Number(values.entries);
if (!Number.isSafeInteger(entries) || entries < 0) {
  console.error(`--entries ${values.entries} is not a whole number.`);
  process.exit(2);
}

await migrate(values["persist-to"]);
const began = performance.now();
const total = seed(await databaseFile(values["persist-to"]), entries);
console.log(
  `${values["persist-to"]} now holds ${total} entries. Took ${((performance.now() - began) / 1_000).toFixed(1)} s.`,
);
