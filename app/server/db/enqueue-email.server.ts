import { and, getTableColumns, isNotNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { type EmailKind, type EntryEmailKind, emailOutbox, emailPriority } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

export const unattempted = {
  attempts: 0,
  leased_until: 0,
  done_at: null,
  dead_at: null,
  first_attempt_at: null,
  soft_bounced_at: null,
  reason: null,
};

/** SQL for a random UUID (RFC 9562, version 4), another one for each row. No subquery, since SQLite would use the same one for every row. */
export const randomUuid = sql.raw(
  "lower(format('%s-%s-4%s-a%s-%s', hex(randomblob(4)), hex(randomblob(2)), substr(hex(randomblob(2)), 2), substr(hex(randomblob(2)), 2), hex(randomblob(6))))",
);

/** What an upsert sets of an outbox row that is queued again, as the new row that it did not insert. */
export function queuedAgain(now: EpochMillis | SQL) {
  return { ...unattempted, id: sql`excluded.id`, next_attempt_at: now, created_at: now };
}

/**
 * An outbox row for each entry that matches, for an `INSERT … SELECT`.
 *
 * @param row values or SQL; `letter`: which one, by its id
 */
export function entryEmailRow(
  db: Db,
  kind: EntryEmailKind | "letter",
  {
    letter,
    ...row
  }: {
    id: unknown;
    now: unknown;
    letter?: number | undefined;
    priority?: unknown;
    data?: SQL | undefined;
    reason?: SQL;
    network?: unknown;
  },
  condition: SQL | undefined,
) {
  const columns = newRow({
    ...row,
    entry_id: waitlistEmails.id,
    kind,
    dedupe_key: sql`${`${kind}:${letter === undefined ? "" : `${letter}:`}`} || ${waitlistEmails.id}`,
    priority: row.priority ?? emailPriority[kind],
  });
  return db.select(columns).from(waitlistEmails).where(condition);
}

/** The columns of a new outbox row in the table's order, for a SELECT. What is not given is null, but for the numbers. */
function newRow({ now, ...row }: Record<string, unknown>) {
  const values: Record<string, unknown> = {
    ...row,
    attempts: sql`0`,
    leased_until: sql`0`,
    next_attempt_at: now,
    created_at: now,
  };
  const columns = Object.keys(getTableColumns(emailOutbox)).map((name) => {
    return [name, sql`${values[name] ?? sql`NULL`}`.as(name)] as const;
  });
  return Object.fromEntries(columns) as Record<keyof typeof emailOutbox.$inferInsert, SQL.Aliased>;
}

export interface OwnerEmail {
  /** A UUID. */
  id: string;
  ownerId: string;
  data: object;
}

/** Replaces the last email of the kind to each owner, unless that one is being sent or `replaces` does not hold. */
export function ownerEmailUpsert(
  db: Db,
  kind: Exclude<OwnerEmailKind, "settings-changed">,
  emails: OwnerEmail[],
  replaces: SQL | undefined,
  now: EpochMillis,
) {
  // Without a condition, SQLite would read the ON of ON CONFLICT as that of a join.
  const rows = ownerEmailRows(db, kind, emails, now).where(sql`true`);
  const isIdle = or(lte(emailOutbox.leased_until, now), isNotNull(emailOutbox.done_at));
  return db
    .insert(emailOutbox)
    .select(rows)
    .onConflictDoUpdate({
      target: emailOutbox.dedupe_key,
      set: { ...queuedAgain(now), data: sql`excluded.data` },
      setWhere: and(replaces, isIdle),
    })
    .returning({ id: emailOutbox.id });
}

/** Queues emails beside those that wait already, for the batch of what they are about. @public for settings, which can be removed @param condition what must hold */
export function ownerEmailInsert(db: Db, emails: OwnerEmail[], condition: SQL, now: EpochMillis) {
  return db.insert(emailOutbox).select(ownerEmailRows(db, "settings-changed", emails, now).where(condition));
}

type OwnerEmailKind = Exclude<EmailKind, EntryEmailKind | "letter">;

function ownerEmailRows(db: Db, kind: OwnerEmailKind, emails: OwnerEmail[], now: EpochMillis) {
  const value = (name: keyof OwnerEmail) => sql`value ->> ${sql.raw(`'${name}'`)}`;
  const ownKey = kind === "settings-changed" ? sql` || ':' || (${value("id")})` : sql``;
  const columns = newRow({
    id: value("id"),
    owner_id: value("ownerId"),
    kind,
    dedupe_key: sql`${`${kind}:`} || (${value("ownerId")})${ownKey}`,
    priority: emailPriority[kind],
    data: value("data"),
    now,
  });
  return db.select(columns).from(sql`json_each(${JSON.stringify(emails)})`);
}
