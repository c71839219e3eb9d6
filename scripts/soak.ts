// The built Worker under load, killed on the way: nothing lost, nothing doubled. Ends by itself; non-zero on any loss.
import { parseArgs } from "node:util";
import { build } from "#scripts/lib/local-site.ts";
import { soak } from "#scripts/soak/soak.ts";

const { values } = parseArgs({
  options: {
    "sign-ups": { type: "string", default: "20000" },
    connections: { type: "string", default: "64" },
    kills: { type: "string", default: "3" },
  },
});

await build();
const began = Date.now();
const { figures, heldUp, losses } = await soak({
  signUps: Number(values["sign-ups"]),
  connections: Number(values.connections),
  kills: Number(values.kills),
  progress: (line) => console.log(`${((Date.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${line}`),
});

console.log("\nWhat happened");
console.table(figures);
console.log("Mails by the tries they took, and how long the delays between those are together");
console.table(heldUp);
console.log("Losses");
console.table(Object.fromEntries(Object.entries(losses).map(([what, cases]) => [what, cases.length])));
const lost = Object.entries(losses).filter(([, cases]) => cases.length > 0);
for (const [what, cases] of lost) console.error(`${what}: ${cases.slice(0, 5).join(", ")}`);
console.log(lost.length === 0 ? "Nothing lost, nothing doubled." : "There are losses.");
process.exit(lost.length === 0 ? 0 : 1);
