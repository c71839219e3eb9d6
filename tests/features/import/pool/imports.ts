import { env } from "cloudflare:test";
import { checkRows } from "#app/features/import/file/check.server.ts";
import { guessMapping } from "#app/features/import/file/fields.ts";
import { hasOpenQuestions, wordQuestions } from "#app/features/import/file/questions.ts";
import { readCsv } from "#app/features/import/file/read-csv.server.ts";
import type { ImportSettings } from "#app/features/import/file/to-entry.server.ts";
import { importJobs } from "#app/features/import/import-jobs.server.ts";
import type { ImportDeps } from "#app/features/import/import-rows.server.ts";
import { confirmImport, findImport, saveCheck, stagedRows, stageImport } from "#app/features/import/imports.server.ts";
import { planLimits } from "#app/server/config/plan-limits.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { runJobs } from "#app/server/queue.server.ts";

/** 21 November 2026, noon. */
export const NOW = Date.UTC(2026, 10, 21, 12);

const chosen: Omit<ImportSettings, "mapping"> = {
  consentDate: "2026-10-05",
  note: "Paper list at the fair",
  timeZone: "Europe/London",
  monthFirst: false,
  welcome: false,
  unsubscribe: true,
};

/** Imports on the test database, at {@link NOW} unless another clock is given. */
export function importHarness(d1: D1Database = env.DB, clock = () => NOW) {
  const db = openDb(d1);
  const disposableDomains = { has: async (email: string) => email.endsWith("@mailinator.com") };
  const deps: ImportDeps = { db, hashKey: env.HASH_KEY, disposableDomains, plan: planLimits.paid, now: clock };
  const harness = {
    db,
    deps,
    stage: async (content: string) =>
      stageImport(db, await readCsv(new TextEncoder().encode(content)), { fileName: "list.csv", now: clock() }),
    /** Stages and checks a file; columns are mapped by name. */
    async check(content: string, settings: Partial<ImportSettings> = {}) {
      const id = await harness.stage(content);
      const columns = (await findImport(db, id))?.columns ?? [];
      const all = { ...chosen, mapping: guessMapping(columns), ...settings };
      const file = { columns, read: () => stagedRows(db, id) };
      const checked = await checkRows(deps, file, { settings: all, now: clock() });
      await saveCheck(db, id, { ...checked, now: clock() });
      const asked = { ...checked, columns };
      return { id, ...checked, questions: wordQuestions(asked), isOpen: hasOpenQuestions(asked) };
    },
    confirm: (id: number) => confirmImport(db, id, clock(), clock()),
    /** A run of so many turns. @returns how many there were */
    run(jobsOfEachKind = 1_000, importedAtOnce = 1_000, now = clock(), importedADay = planLimits.paid.importedADay) {
      const app = { ...deps, now: () => now, plan: { jobsOfEachKind, importedAtOnce, importedADay } };
      return runJobs(app, [importJobs], { subrequests: Number.MAX_SAFE_INTEGER, until: now + 1 });
    },
    /** Imports a file to its end. */
    async import(content: string, settings: Partial<ImportSettings> = {}) {
      const { id, ...checked } = await harness.check(content, settings);
      await harness.confirm(id);
      await harness.run();
      return { ...checked, found: await findImport(db, id) };
    },
  };
  return harness;
}
