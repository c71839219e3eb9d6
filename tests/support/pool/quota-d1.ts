import { env } from "cloudflare:test";
import { wrapD1 } from "#app/server/db/wrap-d1.server.ts";

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
}

/** The test database as Cloudflare limits it on the free plan. A query may go over the limit; those after it are refused. */
export function quotaD1({
  written = Number.POSITIVE_INFINITY,
  read = Number.POSITIVE_INFINITY,
  refuses = "everything",
  statements = Number.POSITIVE_INFINITY,
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
      for (const { meta } of [results].flat() as D1Result[]) {
        used.written += meta.rows_written;
        used.read += meta.rows_read;
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
