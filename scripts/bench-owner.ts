import { chromium } from "@playwright/test";
import { measureExport } from "#scripts/bench/owner/export.ts";
import { IMPORT_LIMIT, measureImport } from "#scripts/bench/owner/import.ts";
import { timeViews } from "#scripts/bench/owner/views.ts";
import { CHROMIUM_FLAGS, requireChromium } from "#scripts/lib/chromium.ts";
import { build } from "#scripts/lib/local-site.ts";
import { readOptions } from "#scripts/lib/options.ts";
import { signIn, startOwnerSite } from "#scripts/lib/owner-site.ts";

const { values } = readOptions({
  command: "npm run bench:owner",
  summary: `Times the owner's pages with no entry, one and a million, and measures an export and an import.
Fails when a page or the import exceeds its time limit, or memory grows with the length of the export or the import.`,
  options: {
    entries: { type: "number", description: "the largest number of entries", default: 1_000_000 },
    people: { type: "number", description: "how many people are imported", default: 100_000 },
    runs: { type: "number", description: "how many times each page is loaded", default: 9 },
  },
});

const executablePath = await requireChromium();
await build();
let failed = false;
for (const entries of new Set([0, 1, values.entries])) {
  console.log(`\n${entries.toLocaleString("en-GB")} entries`);
  const site = await startOwnerSite(entries, { WORKERS_PLAN: "paid" });
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await signIn(page, site);
    const times = await timeViews(page, site, values.runs);
    console.table(times);
    failed ||= times.some(({ median, limit }) => !(median <= limit));
    const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
    const report = await measureExport(site, cookie);
    console.log("Export");
    console.table({ ...report, peaks: report.peaks.map(Math.round).join(", ") });
    const [first = 0, , , last = 0] = report.peaks;
    failed ||= report.lines !== entries + 1 || (entries > 1 && last > first * 1.25);
    if (entries !== values.entries) continue;
    const imported = await measureImport(site, cookie, values.people);
    console.log("Import");
    console.table({ ...imported, peaks: imported.peaks.map(Math.round).join(", ") });
    const [early = 0, , , late = 0] = imported.peaks;
    failed ||= imported.upload + imported.check + imported.import > IMPORT_LIMIT || late > early * 1.25;
  } finally {
    await browser.close();
    await site.stop();
  }
}
console.log(
  failed
    ? "A page or the import exceeded its time limit, or memory grew with the length of the export or the import."
    : "Every page and the import stayed within their time limits, and memory stayed flat.",
);
process.exit(failed ? 1 : 0);
