import { and, desc, eq, gt, lt } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { ownerLog, ownerSessions } from "#app/server/db/schema/owner.server.ts";
import type { Owner } from "#app/server/owners.server.ts";

export type LoggedAction = typeof ownerLog.$inferSelect;

/** A page of the log, newest first: the entries before an id, or the newest. */
export async function readLog(db: Db, { before, limit }: { before?: number | undefined; limit: number }) {
  const found = await db
    .select()
    .from(ownerLog)
    .where(before === undefined ? undefined : lt(ownerLog.id, before))
    .orderBy(desc(ownerLog.id))
    .limit(limit + 1);
  return { actions: found.slice(0, limit), hasOlder: found.length > limit };
}

/** When an owner's current sessions began (milliseconds since 1970). */
export async function listSessions({ db, now }: { db: Db; now: () => number }, owner: Owner): Promise<number[]> {
  const { owner_id, expires_at, created_at } = ownerSessions;
  const sessions = await db
    .select({ created_at })
    .from(ownerSessions)
    .where(and(eq(owner_id, owner.id), gt(expires_at, now())))
    .orderBy(created_at);
  return sessions.map((session) => session.created_at);
}
