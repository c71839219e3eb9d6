import { build } from "#scripts/lib/local-site.ts";
import { program, wholeNumber } from "#scripts/lib/program.ts";
import { soak } from "#scripts/soak/soak.ts";

const options = program(
  "npm run soak",
  "Runs the built Worker under load and kills it several times. Fails if anything was lost, sent twice or unwanted.",
)
  .option("--sign-ups <number>", "how many people sign up", wholeNumber, 20_000)
  .option("--connections <number>", "how many requests run at the same time", wholeNumber, 64)
  .option("--kills <number>", "how many times the runtime is killed", wholeNumber, 3)
  .parse()
  .opts<{ signUps: number; connections: number; kills: number }>();

await build();
const { stats, losses } = await soak({ ...options, progress: console.log });
console.log("\nTotals");
console.table(stats);
const lost = Object.entries(losses).filter(([, cases]) => cases.length > 0);
for (const [kind, cases] of lost) console.error(`${kind}: ${cases.length}, such as ${cases.slice(0, 5).join(", ")}`);
if (lost.length === 0) console.log("Nothing was lost, nothing was sent twice, and no email was unwanted.");
process.exit(lost.length === 0 ? 0 : 1);
