import { databaseFile, lockDatabase, migrate } from "#scripts/lib/local-database.ts";
import { program, text, wholeNumber } from "#scripts/lib/program.ts";
import { seed } from "#scripts/lib/seed.ts";

const command = program(
  "npm run db:seed",
  "Adds sample entries to a local database, so that you can try the owner's pages with a list of any size.",
)
  .option("--entries <number>", "how many entries to add", wholeNumber, 1_000)
  .option("--persist-to <folder>", "the folder of the local database", text, ".wrangler/state")
  .parse();
const { entries, persistTo: folder } = command.opts<{ entries: number; persistTo: string }>();

try {
  // A server would lose requests while this writes.
  lockDatabase(folder, "npm run db:seed");
} catch (error) {
  command.error((error as Error).message);
}
migrate(folder);
const began = performance.now();
const { before, added } = seed(databaseFile(folder), entries);
const count = (entries: number) => `${entries.toLocaleString("en-GB")} ${entries === 1 ? "entry" : "entries"}`;
console.log(`Database     ${folder}
There were   ${count(before)}, which are unchanged
Added        ${count(added)} in ${((performance.now() - began) / 1_000).toFixed(1)} s
There are    ${count(before + added)}`);
