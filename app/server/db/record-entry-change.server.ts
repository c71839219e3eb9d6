import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { entryChanges } from "#app/server/db/schema/entries.server.ts";

/**
 * The statement that records a change which no trigger sees: an address gets email again, or no longer.
 *
 * @param isChanged condition on entries, which one fulfils at most
 */
export function recordEntryChange(db: Db, isChanged: SQL) {
  const { at } = entryChanges;
  const reads = sql`SELECT 1 FROM api_keys WHERE revoked_at IS NULL AND instr(scopes, '"entries:read"')`;
  return db.insert(entryChanges).select(
    sql`SELECT max(CAST(unixepoch('subsec') * 1000 AS INTEGER), 1 + coalesce((SELECT max(${at}) FROM entry_changes), 0)),
      id FROM waitlist_emails WHERE ${isChanged} AND EXISTS (${reads})`,
  );
}
