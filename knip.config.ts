import { existsSync, readFileSync } from "node:fs";
import type { KnipConfig } from "knip";
import * as switches from "./app/switches.ts";

/** Files of features that are switched off, which the build leaves out. */
const routes = Object.entries(switches)
  .filter(([name, isOn]) => !isOn && existsSync(`app/features/${name}/feature.ts`))
  .flatMap(([name]) =>
    Array.from(
      readFileSync(`app/features/${name}/feature.ts`, "utf8").matchAll(/file: "([^"]+)"/g),
      ([, file]) => `app/${file}`,
    ),
  );

export default {
  entry: [
    ...routes,
    "app/routes/*.{ts,tsx}",
    "app/{features,owner}/*/actions.ts",
    "app/server/abuse/{blocked-clients,working-keys}.ts",
    "scripts/*.{ts,mjs}",
    "scripts/bench/groups/*.ts",
    "scripts/lib/results-reporter.ts",
    "tests/**/*.{test,spec}.{ts,tsx}",
    "tests/faults/plant.ts",
    "tests/features/*/global-setup.ts",
    "tests/features/*/browser/engines.ts",
    "tests/support/sample-{milestones,questions}.ts",
    "tests/support/fork/print-rendered.ts",
    "tests/features/api/typescript-api.mjs",
  ],
  project: ["app/**", "worker/**", "scripts/**", "vite/**", "tests/**"],
  ignoreExportsUsedInFile: true,
  ignoreBinaries: ["pgrep", "soffice"],
  ignoreDependencies: ["@hey-api/openapi-ts", "@swc/core", "cloudflare", "openapi-fetch", "openapi-typescript"],
} satisfies KnipConfig;
