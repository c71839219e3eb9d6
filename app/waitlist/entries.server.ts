import { and, eq, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import { DB_TIMEOUT, type Db } from "#app/server/db/client.server.ts";
import { prepareBatch } from "#app/server/db/prepared-batch.server.ts";
import { type EmailKind, emailOutbox, waitlistEmails } from "#app/server/db/schema.server.ts";
import { withTimeout } from "#app/server/timeout.ts";
import { optionalColumnNames, type SignUpFields } from "#app/waitlist/entry-fields.server.ts";
import { WAITLIST_RETENTION_MONTHS } from "#app/waitlist/retention.ts";

export interface NewEntry {
  /** As {@link normaliseEmail} returns it. */
  email: string;
  source: string;
  /** Columns that are null where they are left out. */
  columns: Partial<SignUpFields["columns"]>;
  /** Milliseconds since 1970. */
  now: number;
}

/** What became of a new address: a new entry, one that is listed, or one that had unsubscribed. */
export type AddedEntry = { kind: "new"; id: number } | { kind: "listed" } | { kind: "unsubscribed" };

/** However often an address that had left is entered, it gets one mail about it in this time (milliseconds). */
const REJOIN_PAUSE = 24 * 3_600_000;

/**
 * Puts an address on the list together with the mail it is owed, in one D1 batch: both rows or neither, one round trip,
 * and of many requests at once for one address exactly one inserts. An address that had unsubscribed stays so and is
 * owed the mail that asks it back.
 *
 * @throws when D1 fails or takes longer than {@link DB_TIMEOUT}
 */
export async function addEntry(db: Db, { email, source, columns, now }: NewEntry): Promise<AddedEntry> {
  const values = {
    ...Object.fromEntries(optionalColumnNames.map((name) => [name, columns[name] ?? null])),
    email,
    source,
    now,
    metadata: { signup_platform: "web", signup_date: new Date(now).toISOString() },
    welcomeId: crypto.randomUUID(),
    rejoinId: crypto.randomUUID(),
    rejoinBefore: now - REJOIN_PAUSE,
  };
  const [inserted, , , found] = await withTimeout(addition(db, values), DB_TIMEOUT, "D1");
  const id = (inserted?.[0] as { id: number } | undefined)?.id;
  if (id !== undefined) return { kind: "new", id };
  const status = (found?.[0] as Pick<Entry, "status"> | undefined)?.status;
  // Neither new nor there: whatever answered did not do what it was asked, and nobody may be told that they are listed.
  if (status === undefined) throw new Error("D1 neither inserted the entry nor found it");
  return { kind: status === "unsubscribed" ? "unsubscribed" : "listed" };
}

const addition = prepareBatch((db) => {
  const given = sql.placeholder;
  const now = sql<number>`${given("now")}`;
  const entry = db
    .insert(waitlistEmails)
    .values({
      email: given("email"),
      source: given("source"),
      metadata: given("metadata"),
      ...Object.fromEntries(optionalColumnNames.map((name) => [name, given(name)])),
      created_at: now,
    })
    .onConflictDoNothing()
    .returning({ id: waitlistEmails.id });
  // changes() counts the rows of the statement before: no new entry, no mail.
  const isNew = and(eq(waitlistEmails.email, given("email")), sql`changes() > 0`);
  const welcome = db.insert(emailOutbox).select(outboxRow(db, "welcome", { id: given("welcomeId"), now }, isNew));
  const hasLeft = and(eq(waitlistEmails.email, given("email")), eq(waitlistEmails.status, "unsubscribed"));
  const rejoin = db
    .insert(emailOutbox)
    .select(outboxRow(db, "rejoin", { id: given("rejoinId"), now }, hasLeft))
    .onConflictDoUpdate({
      target: [emailOutbox.entry_id, emailOutbox.kind],
      set: {
        id: sql`excluded.id`,
        attempts: 0,
        next_attempt_at: now,
        leased_until: 0,
        sent_at: null,
        dead_at: null,
        last_error: null,
        created_at: now,
      },
      setWhere: sql`coalesce(${emailOutbox.sent_at}, ${emailOutbox.dead_at}) < ${given("rejoinBefore")}`,
    });
  const status = db
    .select({ status: waitlistEmails.status })
    .from(waitlistEmails)
    .where(eq(waitlistEmails.email, given("email")));
  return [entry, welcome, rejoin, status];
});

export type Entry = typeof waitlistEmails.$inferSelect;

export async function findEntry(db: Db, id: number): Promise<Entry | null> {
  const query = db.select().from(waitlistEmails).where(eq(waitlistEmails.id, id));
  return (await withTimeout(query.execute(), DB_TIMEOUT, "D1"))[0] ?? null;
}

/** When each mail to an entry was sent, or that it waits. */
export async function emailsOf(db: Db, id: number) {
  const { kind, created_at, sent_at } = emailOutbox;
  const query = db.select({ kind, created_at, sent_at }).from(emailOutbox).where(eq(emailOutbox.entry_id, id));
  return withTimeout(query.execute(), DB_TIMEOUT, "D1");
}

/**
 * Takes an entry off the list; mail that still waits for it is not sent any more. Mail that is on its way at this moment
 * keeps its row, or whoever comes back would be owed a second welcome.
 *
 * @returns whether that changed anything
 */
export async function unsubscribeEntry(db: Db, id: number, now: number): Promise<boolean> {
  const leave = db
    .update(waitlistEmails)
    .set({ status: "unsubscribed", unsubscribed_at: now })
    .where(and(eq(waitlistEmails.id, id), eq(waitlistEmails.status, "active")))
    .returning({ id: waitlistEmails.id });
  const cancel = db
    .delete(emailOutbox)
    .where(and(eq(emailOutbox.entry_id, id), isNull(emailOutbox.sent_at), lte(emailOutbox.leased_until, now)));
  const [left] = await withTimeout(db.batch([leave, cancel]), DB_TIMEOUT, "D1");
  return left.length > 0;
}

/**
 * Puts an entry back on the list, with the welcome mail if it never got one.
 *
 * @returns whether that changed anything
 */
export async function rejoinEntry(db: Db, id: number, now: number): Promise<boolean> {
  const back = db
    .update(waitlistEmails)
    .set({ status: "active", unsubscribed_at: null })
    .where(and(eq(waitlistEmails.id, id), eq(waitlistEmails.status, "unsubscribed")))
    .returning({ id: waitlistEmails.id });
  const isBack = and(eq(waitlistEmails.id, id), sql`changes() > 0`);
  const welcome = db
    .insert(emailOutbox)
    .select(outboxRow(db, "welcome", { id: crypto.randomUUID(), now }, isBack))
    .onConflictDoNothing();
  const [rejoined] = await withTimeout(db.batch([back, welcome]), DB_TIMEOUT, "D1");
  return rejoined.length > 0;
}

/**
 * Removes an entry and all that hangs on it.
 *
 * @returns whether there was one
 */
export async function eraseEntry(db: Db, id: number): Promise<boolean> {
  const erase = db.delete(waitlistEmails).where(eq(waitlistEmails.id, id)).returning({ id: waitlistEmails.id });
  return (await withTimeout(erase.execute(), DB_TIMEOUT, "D1")).length > 0;
}

/**
 * Erases entries that are older than the privacy page allows, and with them the mail they are owed.
 *
 * @returns how many
 */
export async function eraseExpired(db: Db, now: number): Promise<number> {
  const oldest = new Date(now);
  oldest.setUTCMonth(oldest.getUTCMonth() - WAITLIST_RETENTION_MONTHS);
  const expired = db.delete(waitlistEmails).where(lt(waitlistEmails.created_at, oldest.getTime()));
  // D1's own number holds what the triggers changed, too.
  const changes = db.select({ entries: sql<number>`changes()` }).from(sql`(SELECT 1)`);
  const [, [erased]] = await withTimeout(db.batch([expired, changes]), DB_TIMEOUT, "D1");
  return erased?.entries ?? 0;
}

/** A row of the outbox for each entry that a condition finds. */
function outboxRow(db: Db, kind: EmailKind, { id, now }: { id: unknown; now: unknown }, condition: SQL | undefined) {
  return db
    .select({
      id: sql`${id}`.as("id"),
      entry_id: waitlistEmails.id,
      kind: sql`${kind}`.as("kind"),
      attempts: sql`0`.as("attempts"),
      next_attempt_at: sql`${now}`.as("next_attempt_at"),
      leased_until: sql`0`.as("leased_until"),
      sent_at: sql`NULL`.as("sent_at"),
      dead_at: sql`NULL`.as("dead_at"),
      last_error: sql`NULL`.as("last_error"),
      created_at: sql`${now}`.as("created_at"),
    })
    .from(waitlistEmails)
    .where(condition);
}
