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
const began = Date.now();
const { stats, losses } = await soak({
  ...options,
  progress: (line) => console.log(`${((Date.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${line}`),
});

console.log("\nTotals");
console.table(stats);
console.log("Losses");
console.table(Object.fromEntries(Object.entries(losses).map(([kind, cases]) => [kind, cases.length])));
const lost = Object.entries(losses).filter(([, cases]) => cases.length > 0);
for (const [kind, cases] of lost) console.error(`${kind}: ${cases.slice(0, 5).join(", ")}`);
console.log(
  lost.length === 0
    ? "Nothing was lost, nothing was sent twice, and no email was unwanted."
    : "Emails or sign-ups were lost, sent twice or unwanted; see above.",
);
process.exit(lost.length === 0 ? 0 : 1);
