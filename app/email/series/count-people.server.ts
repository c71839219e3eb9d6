import { sql } from "drizzle-orm";
import { hasStep, joinedWithin, mayGetStep, notSentReasons } from "#app/email/series/who-gets-step.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { Step } from "#app/server/db/schema/series.server.ts";

const DAY = 24 * 3_600_000;

interface CountDeps {
  db: Db;
  /** Of the owner. */
  timeZone: string;
  now: () => number;
}

/**
 * How many people are still to be sent a step, of those who joined within the last days before now (of 24 hours). Those who
 * joined more than three days earlier than it is due are too late for it.
 */
export async function countJoined({ db, timeZone, now }: CountDeps, step: Step, days: number): Promise<number> {
  const at = now();
  const [row] = await db.all<{ people: number }>(sql`SELECT count(*) AS people FROM waitlist_emails
    WHERE ${joinedWithin(at - days * DAY, at)} AND ${mayGetStep({ db, timeZone, now: () => at }, step.audience)}
      AND NOT ${hasStep(step)} AND CASE ${notSentReasons(step)} END IS NULL`);
  return row?.people ?? 0;
}

/** How many active people agreed to each wording, by its version; null for those with none on record. Reads the whole list. */
export async function countAgreed(db: Db): Promise<Map<string | null, number>> {
  const rows = await db.all<{ version: string | null; people: number }>(sql`
    SELECT consent_version AS version, count(*) AS people FROM waitlist_emails WHERE status = 'active' GROUP BY 1`);
  return new Map(rows.map(({ version, people }) => [version, people]));
}
