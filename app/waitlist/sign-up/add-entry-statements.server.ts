import { and, eq, inArray, isNotNull, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { entryEmailRow, queuedAgain } from "#app/server/db/enqueue-email.server.ts";
import { insertWhere } from "#app/server/db/insert-where.server.ts";
import type { Statement } from "#app/server/db/prepared-batch.server.ts";
import { emailOutbox, erasedAddresses } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { addressReasons } from "#app/server/db/suppressions.server.ts";
import { isConfirmation } from "#app/waitlist/confirmation/confirmation.server.ts";
import { CONFIRM_PERIOD } from "#app/waitlist/confirmation/confirmation.ts";
import { decidingEmail } from "#app/waitlist/sign-up/daily-limit.server.ts";
import { optionalColumnNames } from "#app/waitlist/sign-up/entry-fields.server.ts";

/** Minimum time between two emails that ask to confirm an address (milliseconds). */
export const CONFIRM_INTERVAL = 24 * 3_600_000;

export interface Additions {
  /** Columns of the entry in place of what a form's sign-up has. */
  entry?: object;
  /** When the person joined, if it was earlier: what they have done since counts. They may have left again, or been asked. */
  joinedAt?: SQL;
  emailData?: SQL;
  /** Statements that change as many rows as the one before them, which adds the entry. */
  afterEntry?: Statement[];
}

export function isBelowLimit(db: Db): SQL {
  return sql`NOT EXISTS ${deciding(db)}`;
}

function deciding(db: Db) {
  const given = sql.placeholder;
  return decidingEmail(db, given("mailboxHash"), given("dayAgo"), given("limitOffset"));
}

/** Placeholders: the values in `add-entry.server.ts`. */
export function addEntryStatements(
  db: Db,
  { entry: columns, joinedAt, emailData, afterEntry = [] }: Additions,
): Statement[] {
  const given = sql.placeholder;
  const now = sql<number>`${given("now")}`;
  const isWithinLimit = isBelowLimit(db);
  // A conflict alone would still raise SQLite's counter of ids, which is a row written.
  const isUnknown = sql`NOT EXISTS (SELECT 1 FROM ${waitlistEmails} WHERE ${waitlistEmails.email} = ${given("email")})`;
  const { address_hash, created_at } = erasedAddresses;
  const departure = sql`SELECT 1 FROM ${erasedAddresses} WHERE ${address_hash} = ${given("addressHash")}`;
  const hasLeft = sql`EXISTS (${departure})`;
  const isNotErased =
    joinedAt === undefined ? sql`` : sql`AND NOT EXISTS (${departure} AND ${created_at} >= ${joinedAt})`;
  const entry = insertWhere(db, waitlistEmails, sql`${isUnknown} ${isNotErased} AND ${isWithinLimit}`)
    .values({
      email: given("email"),
      source: given("source"),
      metadata: given("metadata"),
      address_hash: given("addressHash"),
      mailbox_hash: given("mailboxHash"),
      verified: given("verified"),
      ...Object.fromEntries(optionalColumnNames.map((name) => [name, given(name)])),
      disposable: given("disposable"),
      created_at: now,
      consent_version: given("consentVersion"),
      consent_at: now,
      // Anyone can enter an address: people who have left are asked first, also where addresses are not confirmed.
      confirm_by: sql`coalesce(${given("confirmBy")}, iif(${hasLeft}, ${now} + ${CONFIRM_PERIOD}, NULL))`,
      ...columns,
    })
    .onConflictDoNothing()
    .returning({ id: waitlistEmails.id, confirm_by: waitlistEmails.confirm_by });
  // changes() counts the previous statement's rows: no new entry, no email.
  const isNew = and(eq(waitlistEmails.email, given("email")), sql`changes() > 0`, isNull(waitlistEmails.confirm_by));
  const turn = { priority: given("priority"), network: given("network"), ...(emailData && { data: emailData }) };
  const turnAgain = { network: sql`excluded.network`, data: sql`excluded.data` };
  const welcomeRow = { id: given("welcomeId"), now, ...turn };
  const welcome = db.insert(emailOutbox).select(entryEmailRow(db, "welcome", welcomeRow, isNew));
  const isUnsubscribed = and(
    eq(waitlistEmails.email, given("email")),
    eq(waitlistEmails.status, "unsubscribed"),
    joinedAt && lt(waitlistEmails.unsubscribed_at, joinedAt),
  );
  const rejoinRow = { id: given("rejoinId"), now, ...turn };
  const rejoin = db
    .insert(emailOutbox)
    .select(entryEmailRow(db, "rejoin", rejoinRow, and(isUnsubscribed, isWithinLimit)))
    .onConflictDoUpdate({
      target: emailOutbox.dedupe_key,
      set: { ...queuedAgain(now), priority: sql`excluded.priority`, ...turnAgain },
      setWhere: or(
        wasSuppressed(now),
        sql`coalesce(${emailOutbox.done_at}, ${emailOutbox.dead_at})
        < (SELECT ${waitlistEmails.unsubscribed_at} FROM ${waitlistEmails} WHERE id = ${emailOutbox.entry_id})`,
      ),
    });
  const canAskAgain = sql`coalesce(${waitlistEmails.reminded_at}, 0) < ${given("confirmBefore")}`;
  const mustConfirm = and(
    eq(waitlistEmails.email, given("email")),
    eq(waitlistEmails.status, "active"),
    isConfirmation.unconfirmed,
    canAskAgain,
    // A new entry was within the limit, and its first email counts only from now on.
    isWithinLimit,
  );
  const confirm = db
    .insert(emailOutbox)
    .select(entryEmailRow(db, "confirm", { id: given("confirmId"), now, ...turn }, mustConfirm))
    .onConflictDoUpdate({
      target: emailOutbox.dedupe_key,
      set: { ...queuedAgain(now), ...turnAgain },
      setWhere: and(wasAskedBefore(given("confirmBefore")), joinedAt && wasAskedBefore(joinedAt)),
    });
  const isWelcome = sql`${emailOutbox.dedupe_key} = (
    SELECT 'welcome:' || id FROM ${waitlistEmails} WHERE email = ${given("email")} AND status = 'active')`;
  const requeued = db
    .update(emailOutbox)
    .set({ ...queuedAgain(now), id: sql`${given("requeuedId")}`, network: sql`${given("network")}` })
    .where(and(isWelcome, wasSuppressed(now), isWithinLimit));
  const existing = db
    .select({ id: waitlistEmails.id, status: waitlistEmails.status })
    .from(waitlistEmails)
    .where(eq(waitlistEmails.email, given("email")));
  return [deciding(db), entry, ...afterEntry, welcome, rejoin, confirm, requeued, existing];
}

function wasAskedBefore(time: unknown): SQL {
  return sql`coalesce(${emailOutbox.done_at}, ${emailOutbox.dead_at}) < ${time}`;
}

/** The email is dead because its address was suppressed, which may have ended by now. */
function wasSuppressed(now: SQL) {
  const { dead_at, reason, next_attempt_at } = emailOutbox;
  return and(isNotNull(dead_at), inArray(reason, addressReasons), lte(next_attempt_at, now));
}
