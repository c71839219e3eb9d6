// Static checks, then every test; the last lines name what failed and count.
import { rmSync } from "node:fs";
import { runChecks } from "#scripts/lib/checks.ts";
import { requireChromium } from "#scripts/lib/chromium.ts";
import { root } from "#scripts/lib/commands.ts";
import { build } from "#scripts/lib/local-site.ts";
import { keepTemporaryFilesInMemory } from "#scripts/lib/memory-folder.ts";
import { runPlaywright, runVitest, type TestCount } from "#scripts/lib/test-runs.ts";

rmSync(`${root}/test-results`, { recursive: true, force: true });
const chromium = await requireChromium();
// Not before: an installer's other users could not write there.
keepTemporaryFilesInMemory();
const counts: TestCount[] = [{ ...(await runChecks()), skipped: 0 }];
await build();
// A process each: projects that run in workerd break each other's CommonJS modules within one, and scripts mostly wait.
counts.push(...(await Promise.all(["source", "built", "scripts"].map(runVitest))));
counts.push(await runPlaywright(chromium));

const sum = (key: "passed" | "skipped") => counts.reduce((total, count) => total + count[key], 0);
const failed = counts.flatMap((count) => count.failed);
// Said again where whoever sees the end of a long output sees it.
for (const failure of failed) console.log(`FAILED ${failure}`);
if (sum("skipped") > 0) console.log(`${sum("skipped")} skipped`);
console.log(`${sum("passed")} passed, ${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);
