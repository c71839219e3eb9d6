import { defineConfig } from "@playwright/test";
import { CHROMIUM_FLAGS, findChromium } from "./scripts/lib/chromium.ts";

/** What other tests would disturb: Lighthouse's trace misses its beginning, and a page is late, on a busy machine. */
const alone = ["lighthouse.spec.ts", "owner/views.spec.ts"];

export default defineConfig({
  testDir: "tests/browser",
  outputDir: "test-results/playwright",
  forbidOnly: process.env["CI"] !== undefined,
  retries: 0,
  workers: 2,
  timeout: 60_000,
  projects: [
    { name: "site", testIgnore: [...alone, "rebuild.spec.ts"] },
    { name: "alone", testMatch: alone, dependencies: ["site"], workers: 1 },
    // Empties the folder from which other tests' sites start.
    { name: "rebuild", testMatch: "rebuild.spec.ts", dependencies: ["alone"] },
  ],
  use: {
    launchOptions: { executablePath: findChromium() ?? undefined, args: CHROMIUM_FLAGS },
    // Tracing slows every test down: TRACE=1 does it, and keeps the traces of failed ones.
    trace: process.env["TRACE"] === undefined ? "off" : "retain-on-failure",
  },
});
