import { sql } from "drizzle-orm";
import type { StepAudience } from "#app/email/series/schema.server.ts";
import { joinedWithin, mayGetStep } from "#app/email/series/who-gets-step.server.ts";
import type { Db } from "#app/server/db/client.server.ts";

const DAY = 24 * 3_600_000;

interface CountDeps {
  db: Db;
  /** Of the owner. */
  timeZone: string;
  now: () => number;
}

/**
 * How many people a step is for who joined within the last days before now (of 24 hours). Those who joined more than three
 * days earlier than it is due are too late for it.
 */
export async function countJoined(
  { db, timeZone, now }: CountDeps,
  audience: StepAudience | null,
  days: number,
): Promise<number> {
  const at = now();
  const [row] = await db.all<{ people: number }>(sql`SELECT count(*) AS people FROM waitlist_emails
    WHERE ${joinedWithin(at - days * DAY, at)} AND ${mayGetStep({ db, timeZone, now: () => at }, audience)}`);
  return row?.people ?? 0;
}
