import { costTable } from "#scripts/bench/letters/costs.ts";
import { measureLetter } from "#scripts/bench/letters/measure.ts";
import { build } from "#scripts/lib/local-site.ts";
import { readOptions } from "#scripts/lib/options.ts";

const { values } = readOptions({
  command: "npm run bench:letters",
  summary: `Sends a letter from the built Worker to a fake provider: for some minutes at the provider's rate limit, with the
cron job every minute, then without a limit. Prints what a letter costs as well.`,
  options: {
    check: { type: "boolean", description: "fail when a number is outside its limit" },
    people: { type: "number", description: "recipients of the letter", default: 100_000 },
    minutes: { type: "number", description: "how long the rate limit is enforced", default: 2 },
  },
});

await build();
const { limited, unlimited, rowsPerRecipient, statements, peaks, copies, people } = await measureLetter(
  values.people,
  values.minutes,
);
const [first = 0, , , last = 0] = peaks;
const checks: [name: string, value: string, limit: string, ok: boolean][] = [
  ["share of the rate limit, over whole minutes", limited.share.toFixed(3), "at least 0.8", limited.share >= 0.8],
  ["rows written for each recipient", rowsPerRecipient.toFixed(2), "at most 4", rowsPerRecipient <= 4],
  ["statements and requests of a run", String(statements), "at most 900", statements <= 900],
  ["memory in the last quarter (MB)", last.toFixed(0), `at most ${(first * 1.25).toFixed(0)}`, last <= first * 1.25],
  ["people who were sent it once", String(copies[1] ?? 0), String(people), copies[1] === people],
];
console.log(`At 5 requests a second: ${limited.recipients} recipients in ${limited.seconds} s.
Without a limit: ${unlimited.recipients} recipients in ${unlimited.seconds.toFixed(1)} s, ${Math.round(unlimited.perSecond)} a second.
Peak memory by quarter (MB): ${peaks.map(Math.round).join(", ")}
`);
console.table(checks.map(([name, value, limit, ok]) => ({ name, value, limit, ok })));
console.log(`\n${costTable()}`);
process.exit(values.check && checks.some(([, , , ok]) => !ok) ? 1 : 0);
