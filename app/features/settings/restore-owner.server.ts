import { sql } from "drizzle-orm";
import { announceChanges } from "#app/features/settings/announce.server.ts";
import {
  fieldOf,
  isUnchangedFrom,
  readRow,
  storeSettings,
  withValues,
} from "#app/features/settings/settings.server.ts";
import { COMMAND_LINE, recordStatement } from "#app/owner/log.server.ts";
import { readOwnerAddresses } from "#app/server/config/config-values.server.ts";
import { ownersWith } from "#app/server/config/settings.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/** Where owners change the list of owners, and what names its versions. */
export const OWNERS_PATH = "/owner/settings/owners";

/**
 * Takes back an owner whom the page has removed, for people who can write to the database anyway. Logged, and told to every
 * owner, as if done on the page.
 *
 * @param variable the value of OWNER_EMAIL
 */
export async function restoreOwner(
  db: Db,
  { variable, email }: { variable: string | undefined; email: string },
  now: EpochMillis,
): Promise<void> {
  const row = await readRow(db);
  const before = ownersWith(variable, row.stored);
  if (before.includes(email)) return;
  const removed = readOwnerAddresses(row.stored.OWNERS_REMOVED);
  if (!removed.includes(email)) return;
  const added = readOwnerAddresses(row.stored.OWNERS_ADDED);
  const isDeployed = readOwnerAddresses(variable).includes(email);
  const values = {
    OWNERS_ADDED: [...added, ...(isDeployed ? [] : [email])].join(", ") || null,
    OWNERS_REMOVED: removed.filter((one) => one !== email).join(", ") || null,
  };
  const after = ownersWith(variable, withValues(row.stored, values));
  const isUnchanged = isUnchangedFrom(row);
  const change = { label: "Owners", from: before.join(", ") || "no one", to: after.join(", ") };
  const details = { setting: change.label, from: change.from, to: change.to };
  const fields = [
    [fieldOf("OWNERS_ADDED"), values.OWNERS_ADDED ?? ""],
    [fieldOf("OWNERS_REMOVED"), values.OWNERS_REMOVED ?? ""],
  ];
  const told = { by: null, at: now, changes: [{ name: "OWNERS_ADDED" as const, ...change }], owners: after };
  const saved = await storeSettings(db, row, { values, now }, [
    sql`INSERT INTO saved_versions (path, fields, actor, is_draft, saved_at)
      SELECT ${OWNERS_PATH}, ${JSON.stringify(fields)}, ${COMMAND_LINE}, 0, ${now} WHERE ${isUnchanged}`,
    recordStatement({ by: COMMAND_LINE, action: "restore-owner", details }, now, isUnchanged),
    ...(await announceChanges(db, told, isUnchanged)),
  ]);
  // Otherwise an owner has changed something at the same moment.
  if (saved === null) await restoreOwner(db, { variable, email }, now);
}
