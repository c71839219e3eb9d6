import { defineConfig } from "@playwright/test";
import { CHROMIUM_FLAGS, findChromium } from "./scripts/lib/chromium.ts";

export default defineConfig({
  testDir: "tests/browser",
  outputDir: "test-results/playwright",
  forbidOnly: process.env["CI"] !== undefined,
  retries: 0,
  workers: 2,
  timeout: 60_000,
  projects: [
    { name: "site", testIgnore: ["lighthouse.spec.ts", "rebuild.spec.ts"] },
    // Lighthouse records a trace, which misses its beginning when the machine is busy with other tests.
    { name: "lighthouse", testMatch: "lighthouse.spec.ts", dependencies: ["site"] },
    // Empties the folder from which other tests' sites start.
    { name: "rebuild", testMatch: "rebuild.spec.ts", dependencies: ["lighthouse"] },
  ],
  use: {
    launchOptions: { executablePath: findChromium() ?? undefined, args: CHROMIUM_FLAGS },
    trace: "retain-on-failure",
  },
});
