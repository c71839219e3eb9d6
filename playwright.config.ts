import { defineConfig } from "@playwright/test";
import { CHROMIUM_FLAGS, findChromium, findHeadlessShell } from "./scripts/lib/chromium.ts";
import { testPart } from "./scripts/lib/test-part.ts";

/**
 * Sensitive to load: on a busy machine Lighthouse's trace lacks its start, and pages, presses and posts exceed their time
 * limits.
 */
const alone = [
  "features/blog/browser/cache.spec.ts",
  "lighthouse.spec.ts",
  "features/entries/browser/views.spec.ts",
  "pressed.spec.ts",
];

const part = testPart();

/** Takes a third less CPU time than Chromium with its windows, which the tests that are sensitive to load use. */
const headlessShell = findHeadlessShell() ?? findChromium();
const launch = (path: string | null) => ({
  launchOptions: { ...(path === null ? {} : { executablePath: path }), args: CHROMIUM_FLAGS },
});

export default defineConfig({
  // Here rather than in `--grep`, which does not filter the projects that others depend on.
  ...(part === "quick" ? { grepInvert: /@slow|@nightly|\.slow\.spec\.ts/ } : {}),
  ...(part === "slow" ? { grep: /@slow|\.slow\.spec\.ts/ } : {}),
  ...(part === "nightly" ? { grep: /@nightly/ } : {}),
  testDir: "tests",
  testMatch: /\/tests\/(?:features\/[^/]+\/)?browser\/.+\.spec\.ts$/,
  outputDir: `test-results/${part ?? "all"}/playwright`,
  forbidOnly: process.env["CI"] !== undefined,
  retries: 0,
  workers: 2,
  timeout: 60_000,
  // Three times the default: on a busy machine a page may take some seconds to respond.
  expect: { timeout: 15_000 },
  projects: [
    { name: "site", testIgnore: [...alone, "rebuild.spec.ts"] },
    { name: "alone", testMatch: alone, dependencies: ["site"], workers: 1, use: launch(findChromium()) },
    // Empties the build folder that other tests' sites start from.
    { name: "rebuild", testMatch: "rebuild.spec.ts", dependencies: ["alone"] },
  ],
  use: {
    // The quick part saves time without transitions.
    ...(part === "quick" ? { contextOptions: { reducedMotion: "reduce" } } : {}),
    ...launch(headlessShell),
    // Tracing slows every test down. TRACE=1 turns it on and saves the traces of failed tests.
    trace: process.env["TRACE"] === undefined ? "off" : "retain-on-failure",
  },
});
