import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { localVars } from "./scripts/lib/local-vars.ts";

/** Random cases differ on each run; FAST_CHECK_SEED repeats those of a failed run. */
const seed = Number(process.env["FAST_CHECK_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

const bindings = {
  ...localVars(8787),
  MIGRATIONS: await readD1Migrations(`${import.meta.dirname}/migrations`),
  FAST_CHECK_SEED: seed,
  // Tests change pages' data between requests.
  RENDER_CACHE: "off",
};

/** A project whose tests run inside workerd, with the bindings of a Wrangler configuration. */
function workersProject(name: string, configPath: string, include: string[]) {
  return {
    plugins: [cloudflareTest({ wrangler: { configPath }, miniflare: { bindings } })],
    // One isolate for all files, as in production: reloading everything for each file took longer than the tests. Long
    // timeouts: some tests try every combination, and the machine may be busy.
    test: { name, include, isolate: false, testTimeout: 30_000, hookTimeout: 30_000 },
  };
}

export default defineConfig({
  test: {
    projects: [
      workersProject("source", "./wrangler.toml", ["tests/{app,worker}/**/*.test.{ts,tsx}"]),
      workersProject("built", "./build/server/wrangler.json", ["tests/built/**/*.test.ts"]),
      // Long timeouts, because most of these tests start a process or two.
      {
        test: {
          name: "scripts",
          include: ["tests/scripts/**/*.test.ts"],
          environment: "node",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
