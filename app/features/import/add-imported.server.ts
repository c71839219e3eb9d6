import { and, eq, getTableColumns, not, type SQL, sql } from "drizzle-orm";
import type { DisposableDomains } from "#app/server/abuse/disposable-domains.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { entryEmailRow, randomUuid } from "#app/server/db/enqueue-email.server.ts";
import { emailOutbox, importedPriority } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { isKeptOut } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { hashMailbox } from "#app/server/hashes/mailbox.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { isConfirmation } from "#app/waitlist/confirmation/confirmation.server.ts";
import type { Entry } from "#app/waitlist/entries/entries.server.ts";

type PreparedEntry = Omit<Entry, "id" | "import_id" | "verified" | "reminded_at" | "bulk_action_id" | "changed_at">;

export type ImportedEntry = Omit<PreparedEntry, "address_hash" | "mailbox_hash" | "disposable"> & {
  /** Null if the file does not say. */
  disposable: boolean | null;
};

/** Adds the hashes of each person, and whether the domain is disposable where the file does not say. */
export async function prepareEntries(
  { hashKey, disposableDomains }: { hashKey: string; disposableDomains: DisposableDomains },
  entries: ImportedEntry[],
): Promise<PreparedEntry[]> {
  const isDisposable = new Map<string, boolean>();
  // Each domain once and one after the other: the first reads the list, which is a request.
  for (const { email, disposable } of entries) {
    const domain = domainOf(email);
    if (disposable !== null || isDisposable.has(domain)) continue;
    isDisposable.set(domain, await disposableDomains.has(email));
  }
  return Promise.all(
    entries.map(async (entry) => {
      const { email } = entry;
      const [address_hash, mailbox_hash] = await Promise.all([
        keyedHash("address:v1", email, hashKey),
        hashMailbox(email, hashKey),
      ]);
      const disposable = entry.disposable ?? isDisposable.get(domainOf(email)) ?? false;
      return { ...entry, disposable, address_hash, mailbox_hash };
    }),
  );
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1);
}

/**
 * The statement that adds people under a condition, and leaves alone everyone who is on the list already, has
 * unsubscribed, who has erased themselves or had left before they were erased, or whose address gets no email (even if the entry was erased). Someone who is
 * in the file twice, and has left according to one row, has left.
 */
export function insertImported(
  db: Db,
  entries: readonly PreparedEntry[],
  importId: number,
  now: EpochMillis,
  when: SQL,
) {
  const given = new Map<string, SQL>([
    ["id", sql`NULL`],
    ["import_id", sql`${importId}`],
    ["verified", sql`0`],
    ["reminded_at", sql`NULL`],
    ["bulk_action_id", sql`NULL`],
  ]);
  const columns = Object.keys(getTableColumns(waitlistEmails)) as (keyof PreparedEntry)[];
  // Arrays, because the names of the columns would take up much of the 2 MB that a string may have in D1.
  const people = entries.map((entry) => [entry.address_hash, ...columns.map((name) => entry[name])]);
  const values = columns.map((name, index) => given.get(name) ?? sql.raw(`value ->> ${index + 1}`));
  return db
    .insert(waitlistEmails)
    .select(
      sql`SELECT ${sql.join(values, sql`, `)} FROM json_each(${JSON.stringify(people)})
        WHERE ${when} AND NOT ${isKeptOut(sql`value ->> 0`, now)}`,
    )
    .onConflictDoUpdate({
      target: waitlistEmails.email,
      set: {
        status: sql`excluded.status`,
        unsubscribed_at: sql`excluded.unsubscribed_at`,
        unsubscribe_reason: sql`excluded.unsubscribe_reason`,
      },
      setWhere: sql`excluded.status = 'unsubscribed' AND ${waitlistEmails.status} = 'active'
        AND ${waitlistEmails.import_id} = excluded.import_id`,
    });
}

/** The statement that queues the welcome emails of people whom an import added. Repeating it queues none twice. */
export function enqueueImportedWelcomes(db: Db, emails: readonly string[], importId: number, now: EpochMillis) {
  const row = { id: randomUuid, now, priority: importedPriority, reason: sql`'import-limit'` };
  const isWelcome = and(eq(waitlistEmails.status, "active"), not(isConfirmation.unconfirmed));
  return db
    .insert(emailOutbox)
    .select(entryEmailRow(db, "welcome", row, and(isAdded(emails, importId), isWelcome)))
    .onConflictDoNothing();
}

export function countAdded(db: Db, emails: readonly string[], importId: number): SQL<number> {
  return sql`(${db.select({ added: sql`count(*)` }).from(waitlistEmails).where(isAdded(emails, importId))})`;
}

/** How many of these addresses, which are given by hash, an import must not add. */
export function countKeptOut(hashes: readonly string[], now: EpochMillis): SQL<number> {
  return sql`(SELECT count(DISTINCT value) FROM json_each(${JSON.stringify(hashes)})
    WHERE ${isKeptOut(sql`value`, now)})`;
}

/** How many of these addresses have an entry. */
export async function countListed(db: Db, emails: readonly string[]): Promise<number> {
  const [row] = await db.select({ count: sql<number>`count(*)` }).from(waitlistEmails).where(isOneOf(emails));
  return row?.count ?? 0;
}

function isAdded(emails: readonly string[], importId: number): SQL | undefined {
  return and(isOneOf(emails), eq(waitlistEmails.import_id, importId));
}

function isOneOf(emails: readonly string[]): SQL {
  return sql`${waitlistEmails.email} IN (SELECT value FROM json_each(${JSON.stringify(emails)}))`;
}
