// Runs the static checks, then every test. The last lines list the failures and the totals.
import { rmSync } from "node:fs";
import { runChecks } from "#scripts/lib/checks.ts";
import { requireChromium } from "#scripts/lib/chromium.ts";
import { root } from "#scripts/lib/commands.ts";
import { build } from "#scripts/lib/local-site.ts";
import { putTempFilesInMemory } from "#scripts/lib/memory-folder.ts";
import { runPlaywright, runVitest, type TestCount } from "#scripts/lib/test-runs.ts";

rmSync(`${root}/test-results`, { recursive: true, force: true });
const chromium = await requireChromium();
// Only after Chromium is installed: apt runs as another user, who cannot write to this folder.
putTempFilesInMemory();
const counts: TestCount[] = [{ ...(await runChecks()), skipped: 0 }];
await build();
// One process per project: in a shared one, projects that run in workerd break each other's CommonJS modules.
counts.push(...(await Promise.all(["source", "built", "scripts"].map(runVitest))));
counts.push(await runPlaywright(chromium));

const sum = (key: "passed" | "skipped") => counts.reduce((total, count) => total + count[key], 0);
const failed = counts.flatMap((count) => count.failed);
// Repeated here, because readers look at the end of a long output.
for (const failure of failed) console.log(`FAILED ${failure}`);
if (sum("skipped") > 0) console.log(`${sum("skipped")} skipped`);
console.log(`${sum("passed")} passed, ${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);
