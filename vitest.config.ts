import { globSync } from "node:fs";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { variables } from "./app/server/config/config.server.ts";
import { localVars } from "./scripts/lib/local-vars.ts";
import { testPart } from "./scripts/lib/test-part.ts";
import { inlineScript } from "./vite/inline-script.ts";

/** Random cases differ on each run; FAST_CHECK_SEED repeats those of a failed run. */
const seed = Number(process.env["FAST_CHECK_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

const part = testPart();

const bindings = {
  // So that a developer's .dev.vars does not reach the tests.
  ...Object.fromEntries(Object.keys(variables).map((name) => [name, ""])),
  ...localVars(8787),
  // Tests write to addresses of example.com, also through the providers' stand-ins.
  EXAMPLE_ADDRESSES: "send",
  MIGRATIONS: await readD1Migrations(`${import.meta.dirname}/migrations`),
  FAST_CHECK_SEED: seed,
  // The share of random cases to run.
  FUZZ_FACTOR: part === "quick" || part === "slow" ? 1 / 50 : 1,
  // Tests change pages' data between requests.
  RENDER_CACHE: "off",
  // Vitest needs the runtime's own functions while it loads the Worker.
  WARM_UP: "off",
};

/** A real local queue, which a deployment to Cloudflare has if the site sends its email there. */
const emailQueue = {
  queueProducers: { EMAIL_EVENTS: "email-events" },
  queueConsumers: { "email-events": { maxBatchTimeout: 0.05 } },
};

/**
 * The test files of a project in the part that runs, those of features included. Those with many cases run a few of them
 * in the quick part, or in the slow one (`*.slow.matrix.test.ts`, `*.slow.property.test.ts`), and all nightly.
 */
function testFiles(project: string) {
  const names = { quick: "*", slow: "*.slow{,.matrix,.property}", nightly: "*{.nightly,fuzz,.property,.matrix}" };
  const name = names[part ?? "quick"];
  const exclude = part === "quick" ? ["**/*.{slow,nightly}.{test,matrix.test,property.test}.{ts,tsx}"] : [];
  const folders = `tests/{${project},features/*/${project}}`;
  return { include: [`${folders}/**/${name}.test.{ts,tsx}`], exclude };
}

/** Gives the source code the questions and milestones of the tests in place of the site's own. */
const samples: Plugin = {
  name: "samples",
  transform: {
    filter: { id: /\/app\/site\.ts$/ },
    handler: (code) =>
      `${code.replace("export const questions", "const ownQuestions").replace("export const milestones", "const ownMilestones")}
      export { sampleQuestions as questions } from "#tests/support/sample-questions.ts";
      export { sampleMilestones as milestones } from "#tests/support/sample-milestones.ts";`,
  },
};

/** Stands for the pages, which only a build has: the tests of `built` render them. */
const noPages: Plugin = {
  name: "no-pages",
  resolveId: { filter: { id: /^virtual:react-router\/server-build$/ }, handler: () => "\0no-pages" },
  load: { filter: { id: /^\0no-pages$/ }, handler: () => "export const routes = {};" },
};

/** A project whose tests run inside workerd, with the bindings of a Wrangler configuration. */
function workersProject(name: string, configPath: string, plugins: Plugin[] = []) {
  return {
    plugins: [...plugins, cloudflareTest({ wrangler: { configPath }, miniflare: { bindings, ...emailQueue } })],
    // One isolate for all files, as in production: reloading everything for each file took longer than the tests. Long
    // timeouts, because the machine may be busy.
    test: {
      name,
      ...testFiles(name),
      globalSetup: ["./tests/support/resend-setup.ts", ...globSync("tests/features/*/global-setup.ts")],
      isolate: false,
      testTimeout: 120_000,
      hookTimeout: 30_000,
    },
  };
}

export default defineConfig({
  test: {
    // Not every project has slow or nightly tests.
    passWithNoTests: part === "slow" || part === "nightly",
    projects: [
      ...["app", "worker"].map((name) => workersProject(name, "./wrangler.toml", [samples, noPages, inlineScript()])),
      workersProject("built", "./build/server/wrangler.json"),
      // Long timeouts, because most of these tests start a process or two.
      {
        test: {
          name: "scripts",
          ...testFiles("scripts"),
          environment: "node",
          // Even on two cores, because these tests mostly wait for other processes.
          maxWorkers: 2,
          // Loading the same modules again for each file takes longer than most of the quick tests.
          isolate: part !== "quick",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      // All quick tests of forks, some of which are sensitive to load: run it alone.
      { test: { name: "fork", ...testFiles("fork"), environment: "node", maxWorkers: 1 } },
    ],
  },
});
