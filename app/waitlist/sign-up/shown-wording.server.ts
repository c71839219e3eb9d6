import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { readForPage } from "#app/server/http/read-for-page.server.ts";
import * as switches from "#app/switches.ts";

export const canFollowUp = switches.letters && switches.series;

/** Whether a follow-up is switched on, so that {@link wordingFor} names them. */
export const isFollowUpOn: SQL = canFollowUp
  ? sql`EXISTS (SELECT 1 FROM series_steps WHERE letter_id IS NOT NULL)`
  : sql`false`;

/** The same for a page. False if the database fails: that promises, and claims, the least. */
export async function readHasFollowUps(deps: Parameters<typeof readForPage>[0] & { db: Db }): Promise<boolean> {
  if (!canFollowUp) return false;
  const read = () => deps.db.get<{ isOn: number }>(sql`SELECT ${isFollowUpOn} AS isOn`);
  return (await readForPage(deps, "follow-ups", read))?.isOn === 1;
}
