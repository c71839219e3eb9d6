import { and, eq, isNull, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { CronRun } from "#app/server/cron.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { insertWhere } from "#app/server/db/insert-where.server.ts";
import { type JobKind, jobs } from "#app/server/db/schema/jobs.server.ts";
import { logError, logWarning } from "#app/server/log.ts";
import { withTimeout } from "#app/server/time/timeout.ts";
import { DAY, type EpochMillis, type Millis } from "#app/server/time/units.ts";

/*
 * Work that is done later waits in rows. A run claims a row with a lease and counts the attempt before the work: Cloudflare
 * ends a run that uses too much CPU time or memory, and nothing in JavaScript catches that. What a run leaves behind is due
 * again when its lease ends, and its results are not recorded any more.
 */

/** The columns of a table with work. */
type QueueTable = Record<"attempts" | "next_attempt_at" | "leased_until" | "done_at" | "dead_at", SQLiteColumn>;

/** The condition that work is neither done nor given up. */
export function isWaiting({ done_at, dead_at }: QueueTable): SQL {
  return and(isNull(done_at), isNull(dead_at)) as SQL;
}

/** The condition that work waits and its time has come. */
export function isDue(table: QueueTable, now: EpochMillis): SQL {
  return and(isWaiting(table), lte(table.next_attempt_at, now)) as SQL;
}

/** How long until the next attempt, after so many: `delay`, doubled each time, at most `maxDelay`. */
export function backOff({ delay, maxDelay }: { delay: Millis; maxDelay: Millis }, attempts: number): Millis {
  return Math.min(delay * 2 ** (attempts - 1), maxDelay);
}

/** What a claim has changed. */
export interface Claim {
  attempts: number;
  leased_until: EpochMillis;
}

/** The condition that no other run has claimed the work since. The caller finds the row by its key. */
export function isClaimedBy(table: QueueTable, claim: { [Key in keyof Claim]: Claim[Key] | SQLWrapper }): SQL {
  return and(eq(table.attempts, claim.attempts), eq(table.leased_until, claim.leased_until), isWaiting(table)) as SQL;
}

/** The statement that adds a job if a condition holds. */
export function addJob(
  db: Db,
  job: { kind: JobKind; subject: number | SQL; data?: object; next_attempt_at: number },
  condition: SQL,
) {
  return insertWhere(db, jobs, condition).values({ ...job, created_at: job.next_attempt_at });
}

/** The statement that deletes the waiting jobs of a subject. */
export function deleteWaiting(db: Db, kind: JobKind, subject: number, condition: SQL = sql`true`) {
  return db.delete(jobs).where(and(eq(jobs.kind, kind), eq(jobs.subject, subject), isWaiting(jobs), condition));
}

/** A claimed job. */
export interface Job<Data = unknown> extends Claim {
  id: number;
  kind: JobKind;
  subject: number;
  data: Data;
  created_at: EpochMillis;
}

/** What an attempt makes of a job: done, given up, or due again. */
export interface Result {
  done_at?: EpochMillis;
  dead_at?: EpochMillis;
  next_attempt_at?: EpochMillis;
  /** The new number of attempts: 0 after a success; one less if the job was claimed and not tried. Left out: it stays. */
  attempts?: number;
  reason?: string;
  last_status?: number | undefined;
}

/** Claims jobs by a condition until their lease ends, with what else is to be read with each. */
export async function claimJobs<Loaded extends Record<string, SQL> = Record<never, SQL>>(
  db: Db,
  isChosen: SQL,
  leasedUntil: EpochMillis,
  loaded?: Loaded,
): Promise<(Job & Record<keyof Loaded, unknown>)[]> {
  const { id, kind, subject, data, attempts, leased_until, created_at } = jobs;
  const found = await db
    .update(jobs)
    .set({ attempts: sql`${attempts} + 1`, next_attempt_at: leasedUntil, leased_until: leasedUntil })
    .where(isChosen)
    .returning({ id, kind, subject, data, attempts, leased_until, created_at, ...loaded });
  return found as (Job & Record<keyof Loaded, unknown>)[];
}

/** SQL for the ids of the due jobs of a subject that have waited longest. */
export function nextJobs(
  kind: JobKind,
  subject: number | SQL,
  { now, limit }: { now: EpochMillis; limit: number },
): SQL {
  return sql`SELECT jobs.id FROM jobs WHERE jobs.kind = ${kind} AND jobs.subject = ${subject} AND ${isDue(jobs, now)}
    ORDER BY jobs.next_attempt_at LIMIT ${limit}`;
}

/** SQL for a value of a result, which is a row of `json_each(…) AS result`. */
export function resultOf<T>(path: string): SQL<T> {
  return sql<T>`${sql.raw(`result.value ->> '$.${path}'`)}`;
}

/** What recording a result changes. The attempts and the time stay where it has none. */
export function recorded(table: QueueTable) {
  return {
    attempts: sql<number>`coalesce(${resultOf("attempts")}, ${table.attempts})`,
    next_attempt_at: sql<number>`coalesce(${resultOf("next_attempt_at")}, ${table.next_attempt_at})`,
    leased_until: 0,
    done_at: resultOf<number>("done_at"),
    dead_at: resultOf<number>("dead_at"),
    reason: resultOf<string>("reason"),
  };
}

/** The condition that no other run has claimed the work since the one whose result this is. */
export function isClaimedByResult(table: QueueTable): SQL {
  return isClaimedBy(table, { attempts: resultOf("claim.attempts"), leased_until: resultOf("claim.leased_until") });
}

/** A claim and its result, as {@link recorded} reads them. */
export function toRecord({ attempts, leased_until }: Claim, result: object): object {
  return { claim: { attempts, leased_until }, ...result };
}

/** The statement that records results, but for jobs that another run has claimed since. */
export function recordResults(
  db: Db,
  results: readonly (readonly [job: Pick<Job, "id" | keyof Claim>, result: Result])[],
) {
  const rows = results.map(([job, result]) => ({ id: job.id, ...toRecord(job, result) }));
  return db
    .update(jobs)
    .set({ ...recorded(jobs), last_status: resultOf<number>("last_status") })
    .from(sql`json_each(${JSON.stringify(rows)}) AS result`)
    .where(and(eq(jobs.id, resultOf<number>("id")), isClaimedByResult(jobs)));
}

/** How long jobs stay after they are done, or given up (days): an owner can send events again. */
export const DONE_DAYS = 7;
export const DEAD_DAYS = 30;

/** Deletes jobs that ended {@link DONE_DAYS} or {@link DEAD_DAYS} ago, and others. Reads the whole table. */
export async function forgetJobs(db: Db, { now, limit, others }: { now: EpochMillis; limit: number; others: SQL }) {
  const before = (days: number) => now - days * DAY;
  await db.run(sql`DELETE FROM jobs WHERE id IN (SELECT id FROM jobs
    WHERE done_at < ${before(DONE_DAYS)} OR dead_at < ${before(DEAD_DAYS)} OR (${others}) LIMIT ${limit})`);
}

/** A kind of the site's own work, which is done job by job. */
export interface JobHandler<App> {
  kind: JobKind;
  /** SQL for the ids of the subjects that can take work now. What waits for others is neither read nor moved. */
  subjects: SQL;
  /** D1 statements of a job at most, besides those of the queue, and of each unit of its work. */
  statements: number;
  unit?: { statements: number; most: (app: App) => number };
  /** Attempts at a job before it is given up. */
  maxAttempts: number;
  /** Does a job. Its result is part of the batch with its last change. */
  work: (app: App, job: Job, units: number) => Promise<unknown>;
  /** The statements that giving up executes before it ends the job. */
  giveUp?: (db: Db, job: Job, reason: GiveUpReason, now: EpochMillis) => unknown[];
}

/** The last attempt failed, or the platform ended it, which leaves no error. */
export type GiveUpReason = "failed" | "interrupted";

/** How long a job may take, and its lease, which ends after it. */
const JOB_TIME: Millis = 25_000;
const LEASE: Millis = 35_000;

/** Statements of the queue for a job: to claim it, and to record a failure with what giving up changes. */
const QUEUE_STATEMENTS = 3;

/** How long an invocation starts jobs after its response: Cloudflare allows 30 seconds. */
export const TIME_AFTER_RESPONSE: Millis = 20_000;

interface RunApp {
  db: Db;
  now: () => EpochMillis;
  plan: { jobsOfEachKind: number };
}

/**
 * Does the jobs that have waited longest, one by one: what one kind leaves of the run, the next may use. A job that fails
 * is due again when the run ends, and the others go on.
 *
 * @param run no job is started after its `until`
 * @returns the number of jobs
 * @throws the first failure, after all other jobs
 */
export async function runJobs<App extends RunApp>(
  app: App,
  handlers: readonly JobHandler<App>[],
  run: Pick<CronRun, "subrequests" | "until">,
): Promise<number> {
  const { db, now, plan } = app;
  const failures: unknown[] = [];
  const started = new Map<JobKind, number>();
  let left = run.subrequests;
  /** As many units of a kind's work as the statements that are left allow. */
  const unitsOf = ({ statements, unit }: JobHandler<App>) => {
    const forUnits = left - QUEUE_STATEMENTS - statements;
    if (unit === undefined) return forUnits < 0 ? 0 : 1;
    return Math.min(unit.most(app), Math.floor(forUnits / unit.statements));
  };
  while (now() < run.until) {
    const mayWork = handlers.filter(
      (handler) => (started.get(handler.kind) ?? 0) < plan.jobsOfEachKind && unitsOf(handler) > 0,
    );
    const job = await claimNext(db, mayWork, now());
    const handler = handlers.find(({ kind }) => kind === job?.kind);
    if (job === undefined || handler === undefined) break;
    started.set(job.kind, (started.get(job.kind) ?? 0) + 1);
    const units = unitsOf(handler);
    left -= QUEUE_STATEMENTS + handler.statements + units * (handler.unit?.statements ?? 0);
    await doJob(app, handler, job, { units, next: run.until }).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  return started.values().reduce((sum, count) => sum + count, 0);
}

async function claimNext<App>(db: Db, handlers: JobHandler<App>[], now: EpochMillis): Promise<Job | undefined> {
  if (handlers.length === 0) return undefined;
  const firstOfEach = handlers.map(({ kind, subjects }) => {
    return sql`SELECT (${nextJobs(kind, sql`of.id`, { now, limit: 1 })}) AS id FROM (${subjects}) AS of`;
  });
  const next = sql`SELECT jobs.id FROM (${sql.join(firstOfEach, sql` UNION ALL `)}) AS first
    CROSS JOIN jobs ON jobs.id = first.id ORDER BY jobs.next_attempt_at LIMIT 1`;
  return (await claimJobs(db, sql`${jobs.id} = (${next})`, now + LEASE))[0];
}

async function doJob<App extends RunApp>(
  app: App,
  { kind, maxAttempts, work, giveUp }: JobHandler<App>,
  job: Job,
  { units, next }: { units: number; next: EpochMillis },
): Promise<void> {
  const { db, now } = app;
  const end = async (reason: GiveUpReason) => {
    const ended = recordResults(db, [[job, { dead_at: now(), reason }]]);
    await db.batch([...(giveUp?.(db, job, reason, now()) ?? []), ended] as never);
    logWarning("job-given-up", { kind, subject: job.subject, reason });
  };
  if (job.attempts > maxAttempts) return end("interrupted");
  try {
    await withTimeout(work(app, job, units), JOB_TIME, `a job of kind ${kind}`);
  } catch (error) {
    const later = recordResults(db, [[job, { next_attempt_at: next, reason: "failed" }]]);
    const recording = job.attempts === maxAttempts ? end("failed") : later.execute();
    await recording.catch((second: unknown) =>
      logError("job-failure-not-recorded", second, { kind, subject: job.subject }),
    );
    throw error;
  }
}
