// Static checks, then every test; the last line counts them.
import { rmSync } from "node:fs";
import { runChecks } from "#scripts/lib/checks.ts";
import { requireChromium } from "#scripts/lib/chromium.ts";
import { root } from "#scripts/lib/commands.ts";
import { build } from "#scripts/lib/local-site.ts";
import { runPlaywright, runVitest, type TestCount } from "#scripts/lib/test-runs.ts";

rmSync(`${root}/test-results`, { recursive: true, force: true });
const chromium = await requireChromium();
const counts: TestCount[] = [{ ...(await runChecks()), skipped: 0 }];
await build();
// Two processes: two projects that run in workerd break each other's CommonJS modules within one.
counts.push(...(await Promise.all([runVitest("source", ["source", "scripts"]), runVitest("built", ["built"])])));
counts.push(await runPlaywright(chromium));

const sum = (key: keyof TestCount) => counts.reduce((total, count) => total + count[key], 0);
if (sum("skipped") > 0) console.log(`${sum("skipped")} skipped`);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exit(sum("failed") === 0 ? 0 : 1);
