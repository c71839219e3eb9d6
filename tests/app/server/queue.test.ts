import { env } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { type JobKind, jobs } from "#app/server/db/schema/jobs.server.ts";
import {
  addJob,
  claimJobs,
  forgetJobs,
  type Job,
  type JobHandler,
  type Result,
  recordResults,
  runJobs,
} from "#app/server/queue.server.ts";
import { killedProcess, meteredD1 } from "#tests/support/pool/d1.ts";
import { countingMailer } from "#tests/support/pool/emails.ts";
import { db, execute, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshDatabaseForEachTest();

const NOW = Date.UTC(2026, 10, 21, 12);
const LEASE = 35_000;
const DAY = 24 * 3_600_000;
const clock = { now: NOW };
/** What the handlers have worked on. */
const worked: string[] = [];
beforeEach(() => {
  clock.now = NOW;
  worked.splice(0);
});

const now = () => clock.now;
const app = (d1: D1Database, jobsOfEachKind: number) => ({ db: openDb(d1), now, plan: { jobsOfEachKind } });
type App = ReturnType<typeof app>;
type Toy = JobHandler<App>;

/** A handler whose subjects are 1 and 2, and whose jobs are done at once. */
function toy(kind: JobKind, work: (job: Job) => Promise<Result> = done, more: Partial<Toy> = {}): Toy {
  return {
    kind,
    subjects: sql`SELECT value AS id FROM json_each('[1, 2]')`,
    statements: 1,
    maxAttempts: 3,
    async work(app, job, units) {
      worked.push(`${kind} ${job.subject}${more.unit === undefined ? "" : ` units ${units}`}`);
      await recordResults(app.db, [[job, await work(job)]]);
    },
    ...more,
  };
}

const done = async (): Promise<Result> => ({ done_at: now() });
const again = async (): Promise<Result> => ({ next_attempt_at: now(), attempts: 0 });
const fail = () => Promise.reject(new Error("cannot work for ada@example.com"));

const add = (kind: JobKind, subject = 1, next_attempt_at = NOW) =>
  addJob(db, { kind, subject, next_attempt_at }, sql`1`);

const run = (handlers: Toy[], { subrequests = 1_000, until = NOW + DAY, turns = 100, d1 = env.DB } = {}) =>
  runJobs(app(d1, turns), handlers, { subrequests, until });

/** A run that is killed when it is to record what its first job has become. */
async function killedRun(handlers: Toy[]): Promise<void> {
  const { d1, untilDead } = killedProcess(countingMailer().mailer, { step: 2, when: "before" });
  await untilDead(run(handlers, { d1 }));
}

test("what has been due longest comes first, of all kinds and subjects, and nothing before its time", async () => {
  for (const [n, kind] of (["import", "fair", "change", "import", "fair"] as const).entries())
    for (const subject of [2, 1]) await add(kind, subject, NOW - 6 + 2 * n + (subject === 2 ? 0 : 1));
  expect(await run([toy("fair"), toy("import"), toy("change")])).toBe(7);
  expect(worked).toEqual(["import 2", "import 1", "fair 2", "fair 1", "change 2", "change 1", "import 2"]);
});

test("jobs of subjects that cannot take work now are neither read nor changed", async () => {
  const numbers = "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 500)";
  const columns = "INSERT INTO jobs (kind, subject, next_attempt_at, created_at)";
  await execute(`${numbers} ${columns} SELECT 'import', 3, n, n FROM n`);
  await add("import", 1);
  const waiting = (await rows("jobs")).slice(0, 500);
  const meter = meteredD1();
  expect(await run([toy("import")], { d1: meter.d1 })).toBe(1);
  expect(meter.rowsRead()).toBeLessThan(20);
  expect((await rows("jobs")).slice(0, 500)).toEqual(waiting);
});

test("the attempt is counted, with a lease, before the work", async () => {
  await add("import");
  const look = async () => {
    const held = { attempts: 1, leased_until: NOW + LEASE, next_attempt_at: NOW + LEASE };
    expect(await rows("jobs")).toMatchObject([held]);
    return { ...(await again()), next_attempt_at: NOW + 1 };
  };
  await run([toy("import", look)]);
  expect(await rows("jobs")).toMatchObject([{ attempts: 0, leased_until: 0, next_attempt_at: NOW + 1 }]);
});

test("what a killed run held is due again when its lease ends, not before", async () => {
  await add("import");
  await killedRun([toy("import")]);
  clock.now = NOW + LEASE - 1;
  expect(await run([toy("import")])).toBe(0);
  clock.now = NOW + LEASE;
  expect(await run([toy("import")])).toBe(1);
  expect(await rows("jobs")).toMatchObject([{ attempts: 2, done_at: NOW + LEASE }]);
});

describe("a run whose lease has ended changes nothing once", () => {
  const claim = async () => (await claimJobs(db, sql`${jobs.id} = 1`, clock.now + LEASE))[0] as Job;

  test.each<[string, (job: Job) => Promise<unknown>]>([
    ["another holds the job", claim],
    // Its attempts are 1 again.
    ["another holds it after a success", (job) => recordResults(db, [[job, { attempts: 0 }]]).then(claim)],
    ["it is done", async () => execute("UPDATE jobs SET done_at = ?", NOW)],
    ["it is given up", async () => execute("UPDATE jobs SET dead_at = ?", NOW)],
  ])("%s", async (_, change) => {
    await add("import");
    const late = await claim();
    clock.now += LEASE;
    await change(late);
    const before = await rows("jobs");
    await recordResults(db, [[late, { next_attempt_at: 0, attempts: 0, reason: "failed" }]]);
    expect(await rows("jobs")).toEqual(before);
  });
});

test("two runs at once do each job once", async () => {
  for (const kind of ["import", "change", "import", "change", "import"] as const) await add(kind);
  const handlers = [toy("import"), toy("change")];
  const [one, two] = await Promise.all([run(handlers), run(handlers)]);
  expect([one + two, worked.length]).toEqual([5, 5]);
});

describe("a job that", () => {
  const later = { attempts: 1, reason: "failed", leased_until: 0, done_at: null, dead_at: null };

  test("fails is due when the run ends: the others are done, then the run fails, and no log has an address", async () => {
    await add("import", 1, NOW - 1);
    for (const kind of ["import", "change"] as const) await add(kind, 2);
    const failing = toy("import", ({ subject }) => (subject === 1 ? fail() : done()));
    await expect(run([failing, toy("change")])).rejects.toThrow("cannot work");
    expect(worked).toEqual(["import 1", "import 2", "change 2"]);
    expect((await rows("jobs"))[0]).toMatchObject({ ...later, next_attempt_at: NOW + DAY });
    expect(log.join("\n")).not.toContain("@example.com");
  });

  test("never ends takes 25 seconds at most", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await add("import", 1, NOW - 1);
    await add("change");
    const begun = Promise.withResolvers<void>();
    const endless = toy("import", () => {
      begun.resolve();
      return new Promise(() => {});
    });
    const running = run([endless, toy("change")]).catch((error: unknown) => error);
    await begun.promise;
    await vi.advanceTimersByTimeAsync(24_999);
    expect(worked).toEqual(["import 1"]);
    vi.advanceTimersByTime(1);
    expect(await running).toMatchObject({ name: "TimeoutError" });
    expect(worked).toEqual(["import 1", "change 1"]);
    expect((await rows("jobs"))[0]).toMatchObject(later);
  });

  const noting: Partial<Toy> = {
    giveUp: (db) => [addJob(db, { kind: "fair", subject: 9, next_attempt_at: 0 }, sql`1`)],
  };

  test.each<[reason: string, attempt: () => Promise<unknown>, works: number]>([
    ["failed", () => run([toy("import", fail, noting)], { until: clock.now + 60_000 }).catch(() => {}), 3],
    ["interrupted", () => killedRun([toy("import", done, noting)]), 3],
  ])("has %s at its last attempt is given up, with what its kind then does", async (reason, attempt, works) => {
    await add("import");
    for (let n = 0; n < 4; n += 1) {
      await attempt();
      clock.now += 60_000;
    }
    await run([toy("import", done, noting)], { until: clock.now + 1 });
    expect(worked).toHaveLength(works);
    const [job, noted] = await rows("jobs");
    expect([job, noted]).toMatchObject([{ reason, dead_at: expect.any(Number) }, { subject: 9 }]);
    expect(log.join("\n")).toMatch(/job-given-up.*"import"/);
  });

  test("cannot be recorded as failed changes nothing, is logged, and does not hide why it failed", async () => {
    await add("import");
    const { d1 } = meteredD1((statement) => {
      if (statement.includes("AS result")) throw new Error("D1_ERROR: lost bob@example.com");
    });
    const once = { ...noting, maxAttempts: 1 };
    await expect(run([toy("import", fail, once)], { d1 })).rejects.toThrow("cannot work");
    expect(await rows("jobs")).toMatchObject([{ attempts: 1, dead_at: null, leased_until: NOW + LEASE }]);
    expect(log.join("\n")).toMatch(/job-failure-not-recorded.*D1_ERROR/);
    expect(log.join("\n")).not.toContain("@example.com");
  });
});

test("each kind has so many turns in a run", async () => {
  for (let n = 0; n < 5; n += 1) await add("import", 1, NOW - 9);
  await add("change");
  expect(await run([toy("import"), toy("change", again)], { turns: 2 })).toBe(4);
  expect(worked).toEqual(["import 1", "import 1", "change 1", "change 1"]);
});

describe("a turn begins only with enough", () => {
  // Three are the queue's own.
  const units = { statements: 10, unit: { statements: 5, most: () => 4 } };

  // What one kind leaves, another uses.
  test.each<[subrequests: number, worked: string[], statements: number]>([
    [3, [], 0],
    [4, ["change 1"], 2],
    [17, ["change 1"], 3],
    [31, ["import 1 units 3"], 2],
    [71, ["import 1 units 4", "import 1 units 4", "change 1"], 6],
    [1_000, ["import 1 units 4", "import 1 units 4", "change 1"], 7],
  ])("statements: %d", async (subrequests, expected, statements) => {
    for (let n = 0; n < 2; n += 1) await add("import", 1, NOW - 1);
    await add("change");
    const meter = meteredD1();
    await run([toy("import", done, units), toy("change")], { subrequests, d1: meter.d1 });
    expect([worked, meter.executed.length]).toEqual([expected, statements]);
  });

  test("time", async () => {
    for (let n = 0; n < 3; n += 1) await add("import");
    const slow = toy("import", async () => {
      clock.now += 20_000;
      return done();
    });
    expect(await run([slow], { until: NOW })).toBe(0);
    expect(await run([slow], { until: NOW + 20_001 })).toBe(2);
  });
});

test("ended jobs are deleted after 7 or 30 days, and others that a condition selects, a few at a time", async () => {
  const ended = (days: number, more = 0) => NOW - days * DAY - more;
  const kept = [{ done_at: ended(7) }, { dead_at: ended(30) }, { next_attempt_at: 1 }];
  const old = [{ done_at: ended(7, 1) }, { dead_at: ended(30, 1) }, { next_attempt_at: 0 }];
  const job = { kind: "import", subject: 1, next_attempt_at: 1, created_at: 0 } as const;
  for (const columns of [...old, ...kept]) await db.insert(jobs).values({ ...job, ...columns });
  const forget = (limit: number) => forgetJobs(db, { now: NOW, limit, others: sql`next_attempt_at = 0` });
  await forget(2);
  expect(await rows("jobs")).toHaveLength(4);
  await forget(9);
  expect(await rows("jobs")).toMatchObject(kept);
});
