import { and, desc, eq, gt, lt } from "drizzle-orm";
import { monthsBefore } from "#app/server/calendar.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { type OwnerAction, ownerLog, ownerSessions } from "#app/server/db/schema/owner.server.ts";
import { redactAddresses } from "#app/server/log.ts";
import type { Owner } from "#app/server/owners.server.ts";

/** The actor of what is done with `npm run owner` or `npm run deploy`, which know no owner. */
export const COMMAND_LINE = "command line";

/** How long actions stay in the log (months). */
const LOG_RETENTION_MONTHS = 12;

export interface ActionRecord {
  /** The address of the owner who did it, or {@link COMMAND_LINE}. */
  by: string;
  action: OwnerAction;
  /** Ids, numbers and names of settings. The person concerned is named by `entryId`, never by an address. */
  details?: Record<string, string | number>;
}

export type LoggedAction = typeof ownerLog.$inferSelect;

/** Adds an action to the owners' log. Call it after the change, and only if something changed. */
export async function recordAction(
  { db, now }: { db: Db; now: () => number },
  { by, action, details = {} }: ActionRecord,
): Promise<void> {
  await db.insert(ownerLog).values({ actor: by, action, details: withoutAddresses(details), created_at: now() });
}

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

export async function deleteOldActions(db: Db, now: number): Promise<void> {
  await db.delete(ownerLog).where(lt(ownerLog.created_at, monthsBefore(now, LOG_RETENTION_MONTHS)));
}

/** A filter by campaign, for example, can contain an address: visitors choose these values. */
function withoutAddresses(details: Record<string, string | number>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, typeof value === "string" ? redactAddresses(value) : value]),
  );
}
