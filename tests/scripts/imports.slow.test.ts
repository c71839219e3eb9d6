import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cleanClone } from "#tests/support/clean-clone.ts";

/** Imports that `npm run check` refuses: from a new file in a folder, with what refuses it. */
const refused: [folder: string, code: string, rule: string][] = [
  ["app/server", 'export { findEntry } from "#app/waitlist/entries/entries.server.ts";', "server-and-ui"],
  ["app/server", 'export type { RootData } from "#app/ui/root-data.ts";', "server-and-ui"],
  ["app/server", 'export type { Feature } from "#app/feature.ts";', "server-and-ui"],
  ["app/server", 'export { shouldRevalidate } from "#app/root.tsx";', "server-and-ui"],
  ["app/ui", 'export { escapeXml } from "#app/server/xml.ts";', "server-and-ui"],
  ["app/consent", 'export { findEntry } from "#app/waitlist/entries/entries.server.ts";', "consent-imports"],
  ["app/waitlist/entries", 'export type { DeliveryDeps } from "#app/email/sender.server.ts";', "waitlist-imports"],
  ["app/waitlist/entries", 'export const load = () => import("#app/email/sender.server.ts");', "waitlist-imports"],
  ["app/email", 'export type { OwnerSection } from "#app/owner/ui/owner-context.ts";', "email-imports"],
  ["app/owner", 'export { pageUrl } from "#app/layout/links.ts";', "owner-and-layout"],
  ["app/layout", 'export { parseId } from "#app/owner/ui/owner-context.ts";', "owner-and-layout"],
  ["app/layout", 'export { linkedPages } from "#app/pages.ts";', "owner-and-layout"],
  ["app/features/log", 'export { features } from "#app/features.ts";', "features-import-lower"],
  ["app/features/log", 'export { loader } from "#app/routes/robots.ts";', "features-import-lower"],
  [
    "app/features/log",
    'export { PERIODS } from "#app/features/overview/stats.server.ts";',
    "features-import-each-other",
  ],
  [
    "app/features/letters/send",
    'export { importJobs } from "#app/features/import/import-jobs.server.ts";',
    "letters-import",
  ],
  ["app/features/api", 'export { importJobs } from "#app/features/import/import-jobs.server.ts";', "the-api-imports"],
  ["app/owner", 'export { readLog } from "#app/features/log/log-page.server.tsx";', "only-lists"],
  ["worker", 'export { readLog } from "#app/features/log/log-page.server.tsx";', "only-lists"],
  ["app/features/log", 'export { createApp } from "#worker/app.ts";', "app-does-not-import-worker"],
  ["worker", 'export { sampleQuestions } from "#tests/support/sample-questions.ts";', "only-tests-import-tests"],
];

const inline = [
  'export type Planted = import("#app/email/sender.server.ts").DeliveryDeps;',
  'export type Planted = typeof import("#app/email/sender.server.ts");',
];

test("imports of a higher floor, and of another feature, are refused: of values and types, also on demand", ({
  onTestFinished,
}) => {
  const { folder, remove } = cleanClone();
  onTestFinished(remove);
  const run = (program: string, ...args: string[]) =>
    spawnSync(join(folder, "node_modules", ".bin", program), args, { cwd: folder, encoding: "utf8" });
  expect(run("depcruise", "app", "worker").status).toBe(0);
  for (const [index, [place, code]] of refused.entries())
    writeFileSync(join(folder, place, `planted-${index}.ts`), code);
  const { stdout } = run("depcruise", "app", "worker");
  for (const [index, [place, code, rule]] of refused.entries()) {
    expect(stdout, code).toMatch(new RegExp(`error ${rule}[\\w-]*: ${place}/planted-${index}\\.ts`));
  }
  // Which dependency-cruiser does not see.
  for (const [index, code] of inline.entries()) {
    const file = `app/waitlist/inline-${index}.ts`;
    writeFileSync(join(folder, file), `${code}\n`);
    expect(run("biome", "lint", file).stdout + run("biome", "lint", file).stderr, code).toContain("import statement");
  }
});
