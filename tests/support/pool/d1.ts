import { env } from "cloudflare:test";
import { onTestFinished, vi } from "vitest";
import { wrapD1 } from "#app/server/db/wrap-d1.server.ts";
import type { BatchMessage, EmailMessage, Mailer } from "#app/server/mailer.server.ts";

interface ExecutedStatement {
  sql: string;
  params: unknown[];
  /** As D1 counts them, with one more for each index that changes. */
  rowsWritten: number;
  rowsRead: number;
}

/** Whether a statement records how a batch of emails was sent. */
export function isRecordOfResults(sql: string): boolean {
  return /^update "email_outbox" set.* from json_each/s.test(sql);
}

/**
 * The test database, which records every statement it executes.
 *
 * @param before called with each statement before it, or its batch, is executed; may throw
 */
export function meteredD1(before: (sql: string) => void | Promise<void> = () => {}) {
  const executed: ExecutedStatement[] = [];
  const d1 = wrapD1(
    env.DB,
    async (work, statements) => {
      for (const { sql } of statements) await before(sql);
      const results = await work();
      const metas = ([results].flat() as D1Result[]).map(({ meta }) => meta);
      executed.push(
        ...statements.map((statement, index) => ({
          ...statement,
          rowsWritten: metas[index]?.rows_written ?? 0,
          rowsRead: metas[index]?.rows_read ?? 0,
        })),
      );
      return results;
    },
    { hasMeta: true },
  );
  return {
    d1,
    executed,
    rowsWritten: () => executed.reduce((sum, statement) => sum + statement.rowsWritten, 0),
    rowsRead: () => executed.reduce((sum, statement) => sum + statement.rowsRead, 0),
    /** Executed statements that match a pattern, in the form that `explain` takes. */
    matching: (pattern: RegExp) =>
      executed.filter(({ sql }) => pattern.test(sql)).map((statement) => ({ toSQL: () => statement })),
    reset: () => void executed.splice(0),
  };
}

/** A D1 database in which every statement fails, as in an outage. */
export const brokenD1 = new Proxy({} as D1Database, {
  get: () => () => {
    throw new Error("D1_ERROR: internal error while reading ada@example.com; reference = 12ab34");
  },
});

/** https://developers.cloudflare.com/changelog/post/2026-09-01-d1-free-tier-limit-enforcement/ */
export function refusal(rows: "read" | "write"): Error {
  return new Error(
    `D1_ERROR: Your account has exceeded D1's free tier daily row ${rows} limit. Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue.`,
  );
}

interface QuotaOptions {
  /** Rows that a day includes. */
  written?: number;
  read?: number;
  /** Cloudflare does not document whether queries that only read are refused once too many rows are written. */
  refuses?: "everything" | "writes";
  /** Statements that an invocation may make, each of a batch counted. */
  statements?: number;
  /** Is told of each statement. */
  note?: (sql: string, meta: D1Meta) => void;
}

/** The test database as Cloudflare limits it on the free plan. A query may go over the limit; those after it are refused. */
export function quotaD1({
  written = Number.POSITIVE_INFINITY,
  read = Number.POSITIVE_INFINITY,
  refuses = "everything",
  statements = Number.POSITIVE_INFINITY,
  note = () => {},
}: QuotaOptions = {}) {
  const used = { day: "", written: 0, read: 0, statements: 0, refused: 0 };

  const d1 = wrapD1(
    env.DB,
    async (work, executed) => {
      used.statements += executed.length;
      if (used.statements > statements) throw new Error("Too many API requests by single Worker invocation.");
      const day = new Date().toISOString().slice(0, 10);
      if (day !== used.day) Object.assign(used, { day, written: 0, read: 0 });
      const isRead = executed.every(({ sql }) => /^\s*select/i.test(sql));
      if (used.read >= read) throw refuse("read");
      if (used.written >= written && !(isRead && refuses === "writes")) throw refuse("write");
      const results = await work();
      for (const [index, { meta }] of ([results].flat() as D1Result[]).entries()) {
        used.written += meta.rows_written;
        used.read += meta.rows_read;
        note(executed[index]?.sql ?? "", meta);
      }
      return results;
    },
    { hasMeta: true },
  );

  function refuse(rows: "read" | "write"): Error {
    used.refused += 1;
    return refusal(rows);
  }

  return { d1, used, nextInvocation: () => void Object.assign(used, { statements: 0 }) };
}

/** The test database, in which a batch is refused at one of its statements and undone as a whole. */
export function refusingD1(isRefused: (statement: number) => boolean): D1Database {
  let made = 0;
  return wrapD1(env.DB, async (work, executed) => {
    const from = made;
    made += executed.length;
    if (!executed.some((_, index) => isRefused(from + index))) return work();
    const before = executed.slice(
      0,
      executed.findIndex((_, index) => isRefused(from + index)),
    );
    const undoing = [...before, { sql: "SELECT json('undoes the batch')", params: [] }];
    await env.DB.batch(undoing.map(({ sql, params }) => env.DB.prepare(sql).bind(...params))).catch(() => {});
    throw refusal("write");
  });
}

/** When a process is killed: before a step, or after the step was carried out but before its result arrived. */
export interface Kill {
  /** The nth step, or the first that matches: the SQL of a statement, followed by its values. */
  step: number | RegExp;
  when: "before" | "after";
}

/**
 * A database and a mailer as a process sees them that is killed at some step, as Cloudflare ends an invocation: from then
 * on nothing it does has any effect, and no promise is settled, so that no code of it catches anything. A step is a D1
 * statement, a D1 batch or a request to the provider.
 */
export function killedProcess<M extends Mailer>(
  mailer: M,
  kill: Kill = { step: Number.POSITIVE_INFINITY, when: "before" },
) {
  // A process that is killed sees no timeout either.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let steps = 0;
  let isDead = false;
  const died = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});

  async function step<T>(work: () => Promise<T>, statements: { sql: string; params: unknown[] }[] = []): Promise<T> {
    if (isDead) return never;
    steps += 1;
    const { step: at } = kill;
    const isLast =
      typeof at === "number" ? steps === at : statements.some(({ sql, params }) => at.test([sql, ...params].join(" ")));
    isDead = isLast;
    if (isLast && kill.when === "before") {
      died.resolve();
      return never;
    }
    const [result] = await Promise.allSettled([work()]);
    if (isLast) died.resolve();
    if (isDead) return never;
    if (result.status === "rejected") throw result.reason;
    return result.value;
  }

  const { batch } = mailer;
  const killable: M = {
    ...mailer,
    send: (message: EmailMessage, id: string) => step(() => mailer.send(message, id)),
    ...(batch && { batch: (messages: BatchMessage[], id: string) => step(() => batch(messages, id)) }),
  };
  return {
    d1: wrapD1(env.DB, step),
    mailer: killable,
    wasKilled: () => isDead,
    /** How many steps were made. */
    steps: () => steps,
    /** Waits until the work is done or the process was killed. */
    untilDead: (work: Promise<unknown>) => Promise.race([work, died.promise]),
  };
}
