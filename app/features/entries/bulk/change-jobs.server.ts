import { and, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import { affectedEntries, isConcerned } from "#app/features/entries/bulk/affected.server.ts";
import {
  type BulkAction,
  changedToday,
  findBulkAction,
  withoutSearch,
} from "#app/features/entries/bulk/bulk-actions.server.ts";
import { restoreStatement, unsubscribeStatements } from "#app/features/entries/bulk/unsubscribe-many.server.ts";
import type { PlanLimits } from "#app/server/config/plan-limits.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { bulkActions } from "#app/server/db/schema/bulk.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { jobs } from "#app/server/db/schema/jobs.server.ts";
import { logInfo } from "#app/server/log.ts";
import { isClaimedBy, type JobHandler, recordResults } from "#app/server/queue.server.ts";
import { nextUtcDay, utcDay } from "#app/server/time/calendar.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { eraseStatements } from "#app/waitlist/entries/erase-entries.server.ts";

/** What is changed together: D1 runs one statement at a time, and sign-ups wait for it. */
export const CHUNK = { entries: 500, records: 1_000 };

interface ChangeDeps {
  db: Db;
  plan: Pick<PlanLimits, "changedRecordsADay" | "jobsOfEachKind">;
  now: () => EpochMillis;
}

/** Changes the entries that an owner has chosen and confirmed, chunk by chunk, in order of id. No entry is changed or counted twice. */
export const changeJobs: JobHandler<ChangeDeps> = {
  kind: "change",
  subjects: sql`SELECT id FROM bulk_actions WHERE state = 'running'`,
  // Read the action and its day, count the chunk, advance, erase with its two totals, record.
  statements: 8,
  // The owner can stop it.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async work({ db, plan, now: clock }, job) {
    const now = clock();
    const found = await findBulkAction(db, job.subject);
    if (found === null) throw new Error("a change of many entries is gone");
    const recordsLeft = plan.changedRecordsADay - (await changedToday(db, now));
    if (recordsLeft <= 0) {
      await recordResults(db, [[job, { next_attempt_at: nextUtcDay(now), attempts: 0 }]]);
      return;
    }
    const { id, kind, position, newest_entry_id, expected, affected } = found;
    const isLeft = and(isConcerned(db, found, now), gt(waitlistEmails.id, position));
    const chunk = await nextChunk(db, kind, and(isLeft, lte(waitlistEmails.id, newest_entry_id)), {
      entries: Math.min(CHUNK.entries, expected - affected),
      records: Math.min(CHUNK.records, recordsLeft),
    });
    const last = chunk.last ?? position;
    const isLast = chunk.isLast || chunk.entries === expected - affected;
    const isInChunk = and(isLeft, lte(waitlistEmails.id, last)) as SQL;
    const entries = db.select({ count: sql`count(*)` }).from(waitlistEmails).where(isInChunk);
    const holdsJob = sql`EXISTS (SELECT 1 FROM jobs WHERE jobs.id = ${job.id} AND ${isClaimedBy(jobs, job)})`;
    const advance = db
      .update(bulkActions)
      .set({
        position: last,
        affected: sql`${bulkActions.affected} + (${entries})`,
        changed_today: sql`iif(${bulkActions.changed_on} = ${utcDay(now)}, ${bulkActions.changed_today}, 0) + ${chunk.records}`,
        changed_on: utcDay(now),
        ...(isLast ? { state: "done" as const, finished_at: now, search: withoutSearch } : {}),
      })
      .where(and(eq(bulkActions.id, id), eq(bulkActions.state, "running"), holdsJob))
      .returning({ state: bulkActions.state, affected: bulkActions.affected });
    // Where the action was stopped, or another run has taken over, the statement before has changed nothing.
    const condition = and(sql`changes() > 0`, isInChunk) as SQL;
    const change = {
      erase: () => eraseStatements(db, condition, now),
      unsubscribe: () => unsubscribeStatements(db, id, condition, { after: position, upTo: last }, now),
      undo: () => [restoreStatement(db, condition)] as const,
    }[kind];
    const recorded = recordResults(db, [[job, isLast ? { done_at: now } : { next_attempt_at: now, attempts: 0 }]]);
    const [[advanced]] = await db.batch([advance, ...change(), recorded]);
    if (advanced !== undefined) logInfo("chunk-changed", { bulkActionId: id, kind, ...advanced });
  },
};

/** The first entries that a condition selects, as many as fit: at least one, however much is linked to it. */
async function nextChunk(
  db: Db,
  kind: BulkAction["kind"],
  condition: SQL | undefined,
  max: { entries: number; records: number },
) {
  const chosen = affectedEntries(db, kind, condition, max.entries);
  const [chunk] = await db.all<{ entries: number; last: number | null; records: number; chosen: number }>(
    sql`SELECT count(*) AS entries, max(id) AS last, coalesce(sum(records), 0) AS records, max(chosen) AS chosen
      FROM (SELECT id, records, count(*) OVER () AS chosen, sum(records) OVER (ORDER BY id) - records AS before FROM ${chosen})
      WHERE before < ${max.records}`,
  );
  const { entries = 0, last = null, records = 0, chosen: found = 0 } = chunk ?? {};
  return { entries, last, records, isLast: entries >= found && found < max.entries };
}
