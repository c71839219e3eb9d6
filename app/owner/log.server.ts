import { lt, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { ownerLog } from "#app/server/db/schema/owner.server.ts";
import { redactAddresses } from "#app/server/log.ts";
import { monthsBefore } from "#app/server/time/calendar.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/** The actor of what is done with `npm run owner` or `npm run deploy`, which know no owner. */
export const COMMAND_LINE = "command line";

/** The actor of a program begins with this; the name of its key follows. */
export const API_ACTOR = "API key: ";

const LOG_RETENTION_MONTHS = 12;

export interface ActionRecord {
  /** The address of the owner who did it, {@link COMMAND_LINE}, or {@link API_ACTOR} and a name. */
  by: string;
  action: string;
  /** Ids, numbers, and names and values of settings. The person concerned is named by `entryId`, never by an address. */
  details?: Record<string, string | number>;
}

/** Adds an action to the owners' log. Call it after the change, and only if something changed. */
export async function recordAction(
  { db, now }: { db: Db; now: () => EpochMillis },
  { by, action, details = {} }: ActionRecord,
): Promise<void> {
  await db.insert(ownerLog).values({ actor: by, action, details: withoutAddresses(details), created_at: now() });
}

/**
 * The statement of {@link recordAction}, for the batch of a change of settings: it keeps addresses, since they are those of
 * owners and of the site. `isChanged`: what must hold.
 *
 * @public for settings, which can be removed
 */
export function recordStatement({ by, action, details = {} }: ActionRecord, now: EpochMillis, isChanged: SQL): SQL {
  return sql`INSERT INTO owner_log (actor, action, details, created_at)
    SELECT ${by}, ${action}, ${JSON.stringify(details)}, ${now} WHERE ${isChanged}`;
}

export async function deleteOldActions(db: Db, now: EpochMillis): Promise<void> {
  await db.delete(ownerLog).where(lt(ownerLog.created_at, monthsBefore(now, LOG_RETENTION_MONTHS)));
}

/** A filter by campaign, for example, can contain an address: visitors choose these values. */
function withoutAddresses(details: Record<string, string | number>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, typeof value === "string" ? redactAddresses(value) : value]),
  );
}
