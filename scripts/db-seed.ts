import { databaseFile, lockDatabase, migrate } from "#scripts/lib/local-database.ts";
import { persistToOption, readOptions, refuse, type Usage } from "#scripts/lib/options.ts";
import { seed } from "#scripts/lib/seed.ts";

const usage = {
  command: "npm run db:seed",
  summary: "Adds sample entries to a local database, so that you can try the owner's pages with a list of any size.",
  options: {
    entries: { type: "number", description: "how many entries to add", default: 1_000 },
    "persist-to": persistToOption,
  },
} as const satisfies Usage;

const { values } = readOptions(usage);
const folder = values["persist-to"];

try {
  // A server would lose requests while this writes.
  lockDatabase(folder, "npm run db:seed");
} catch (error) {
  refuse(usage, error);
}
migrate(folder);
const began = performance.now();
const { before, added } = seed(databaseFile(folder), values.entries);
const count = (entries: number) => `${entries.toLocaleString("en-GB")} ${entries === 1 ? "entry" : "entries"}`;
console.log(`Database     ${folder}
There were   ${count(before)}, which are unchanged
Added        ${count(added)} in ${((performance.now() - began) / 1_000).toFixed(1)} s
There are    ${count(before + added)}`);
