import { and, eq, type SQL, sql } from "drizzle-orm";
import type { BulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { isRestorable } from "#app/features/entries/bulk/unsubscribe-many.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { BulkKind } from "#app/server/db/schema/bulk.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { isSelected } from "#app/waitlist/filter/entry-filter.server.ts";
import type { EntrySelection } from "#app/waitlist/filter/filters.server.ts";

/**
 * The entries that an action changes. Those that have come to be otherwise stay as they are, such as people who have
 * confirmed their address, or who have left by themselves.
 */
export function isConcerned(
  db: Db,
  { kind, undoes, ...of }: Pick<BulkAction, "kind" | "undoes" | "filter" | "search" | "time_zone">,
  now: EpochMillis,
): SQL | undefined {
  if (kind === "undo") return isRestorable(undoes ?? 0, now);
  const selection: EntrySelection = { ...of.filter, search: of.search ?? undefined, timeZone: of.time_zone, now };
  const selected = isSelected(db, selection);
  return kind === "erase" ? selected : and(selected, eq(waitlistEmails.status, "active"));
}

/** SQL for the first entries that a condition selects, in order of id, with the records that changing each one changes. */
export function affectedEntries(db: Db, kind: BulkKind, condition: SQL | undefined, limit: number): SQL {
  const count = (from: string) => sql.raw(`(SELECT count(*) FROM ${from})`);
  const linked = {
    emails: count("email_outbox WHERE entry_id = chosen.id"),
    unsent: count("email_outbox WHERE entry_id = chosen.id AND done_at IS NULL"),
    waiting: count("email_outbox WHERE entry_id = chosen.id AND done_at IS NULL AND dead_at IS NULL"),
    copies: count("letter_recipients WHERE entry_id = chosen.id"),
    // Friends who stay lose the tie.
    ties: sql.raw(
      [
        "referrals WHERE entry_id",
        "referrals WHERE referrer_id",
        "referrers WHERE entry_id",
        "reached_milestones WHERE entry_id",
      ]
        .map((rows) => `(SELECT count(*) FROM ${rows} = chosen.id)`)
        .join(" + "),
    ),
  };
  const columns = Object.entries(linked).map(([name, value]) => sql`${value} AS ${sql.raw(name)}`);
  const records = sql.raw({ erase: "1 + emails + copies + ties", unsubscribe: "1 + unsent", undo: "1" }[kind]);
  const chosen = db
    .select({ id: waitlistEmails.id })
    .from(waitlistEmails)
    .where(condition)
    .orderBy(waitlistEmails.id)
    .limit(limit);
  return sql`(SELECT *, ${records} AS records FROM (SELECT id, ${sql.join(columns, sql`, `)} FROM ${chosen} AS chosen))`;
}

export interface Affected {
  entries: number;
  /** Emails to them in the outbox: all, and those that wait to be sent. */
  emails: number;
  waiting: number;
  /** Their copies of letters. */
  copies: number;
  /** Records that are changed: the entries, and what is linked to them. */
  records: number;
}

export async function countAffected(db: Db, kind: BulkKind, condition: SQL | undefined): Promise<Affected> {
  const total = (name: string) => sql`coalesce(sum(${sql.raw(name)}), 0) AS ${sql.raw(name)}`;
  const totals = sql.join(["emails", "waiting", "copies", "records"].map(total), sql`, `);
  const [counted] = await db.all<Affected>(
    sql`SELECT count(*) AS entries, ${totals} FROM ${affectedEntries(db, kind, condition, Number.MAX_SAFE_INTEGER)}`,
  );
  return counted ?? { entries: 0, emails: 0, waiting: 0, copies: 0, records: 0 };
}
