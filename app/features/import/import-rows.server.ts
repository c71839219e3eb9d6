import { and, eq, sql } from "drizzle-orm";
import {
  countAdded,
  countKeptOut,
  enqueueImportedWelcomes,
  insertImported,
  prepareEntries,
} from "#app/features/import/add-imported.server.ts";
import type { CsvRow } from "#app/features/import/file/read-csv.server.ts";
import { toEntry } from "#app/features/import/file/to-entry.server.ts";
import { type Import, importedToday, nextRows, withoutWords } from "#app/features/import/imports.server.ts";
import type { DisposableDomains } from "#app/server/abuse/disposable-domains.server.ts";
import type { PlanLimits } from "#app/server/config/plan-limits.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { importChunks, imports } from "#app/server/db/schema/imports.server.ts";
import { jobs } from "#app/server/db/schema/jobs.server.ts";
import { isClaimedBy, type Job, recordResults } from "#app/server/queue.server.ts";
import { nextUtcDay, utcDay } from "#app/server/time/calendar.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

export interface ImportDeps {
  db: Db;
  hashKey: string;
  disposableDomains: DisposableDomains;
  plan: Pick<PlanLimits, "importedAtOnce" | "importedADay" | "jobsOfEachKind">;
  now: () => EpochMillis;
}

/** Imports the next rows of a file. Every person is added once, however often this is interrupted or repeated. */
export async function importNextRows(deps: ImportDeps, job: Job): Promise<void> {
  const { db } = deps;
  const { importedAtOnce, importedADay } = deps.plan;
  const now = deps.now();
  if ((await importedToday(db, now)) >= importedADay) {
    await recordResults(db, [[job, { next_attempt_at: nextUtcDay(now), attempts: 0 }]]);
    return;
  }
  const next = await readNext(db, job.subject, importedAtOnce + 1);
  if (next?.found.settings == null) throw new Error("a running import has no settings");
  const { id, position, chunks, rows_done, settings, checked_at } = next.found;
  const rows = next.rows.slice(0, importedAtOnce);
  const endsChunk = next.rows.length <= importedAtOnce;
  const isLast = endsChunk && position + 1 >= chunks;
  const context = { settings, now: checked_at ?? now };
  const entries = await prepareEntries(
    deps,
    rows.flatMap((row) => toEntry(row, context).entry ?? []),
  );
  const emails = entries.map(({ email }) => email);
  const hashes = entries.flatMap(({ address_hash }) => address_hash ?? []);
  const mayWrite = sql`EXISTS (SELECT 1 FROM imports, jobs WHERE imports.id = ${id} AND imports.state = 'running'
    AND jobs.id = ${job.id} AND ${isClaimedBy(jobs, job)})`;
  const advance = db
    .update(imports)
    .set({
      ...(endsChunk ? { position: position + 1, rows_done: 0 } : { rows_done: rows_done + rows.length }),
      imported_today: sql`iif(${imports.imported_on} = ${utcDay(now)}, ${imports.imported_today}, 0) + ${rows.length}`,
      imported_on: utcDay(now),
      added: sql`${imports.added} + ${countAdded(db, emails, id)}`,
      suppressed: sql`${imports.suppressed} + ${countKeptOut(hashes, now)}`,
      ...(isLast ? { state: "done" as const, finished_at: now, settings: withoutWords } : {}),
    })
    .where(and(eq(imports.id, id), mayWrite));
  const isImported = sql`${importChunks.position} < (SELECT position FROM imports WHERE id = ${id})`;
  // In this order, each statement can be repeated if a remote batch is not a transaction.
  await db.batch([
    insertImported(db, entries, id, now, mayWrite),
    ...(settings.welcome ? [enqueueImportedWelcomes(db, emails, id, now)] : []),
    advance,
    recordResults(db, [[job, isLast ? { done_at: now } : { next_attempt_at: now, attempts: 0 }]]),
    // Also in the batch of a run that has lost its lease, whose rows the next one imports.
    ...(endsChunk ? [db.delete(importChunks).where(and(eq(importChunks.import_id, id), isImported))] : []),
  ]);
}

async function readNext(db: Db, importId: number, limit: number) {
  const [next] = await db
    .select({
      found: imports,
      rows: sql<string>`(SELECT json_group_array(json(value)) FROM (${nextRows(limit)}))`,
    })
    .from(imports)
    .where(eq(imports.id, importId));
  return next && { ...next, found: next.found as Import, rows: JSON.parse(next.rows) as CsvRow[] };
}
