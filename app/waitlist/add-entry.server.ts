import { and, eq, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { entryEmailRow, queuedAgain } from "#app/server/db/enqueue-email.server.ts";
import { insertWhere } from "#app/server/db/insert-where.server.ts";
import { prepareBatch, type Statement } from "#app/server/db/prepared-batch.server.ts";
import { emailOutbox, emailPriority, unverifiedPriority } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { addressReasons } from "#app/server/db/suppressions.server.ts";
import { isConfirmation } from "#app/waitlist/confirmation.server.ts";
import { CONFIRM_PERIOD } from "#app/waitlist/confirmation.ts";
import { CONSENT_VERSION } from "#app/waitlist/consent-wording.ts";
import { DAILY_LIMIT_PERIOD, dailyLimitOf, decidingEmail } from "#app/waitlist/daily-limit.server.ts";
import type { Entry } from "#app/waitlist/entries.server.ts";
import { optionalColumnNames, type SignUpFields } from "#app/waitlist/entry-fields.server.ts";
import { recordReferral } from "#app/waitlist/referrals/record.server.ts";

export interface NewEntry {
  /** As {@link normaliseEmail} returns it. */
  email: string;
  source: string;
  /** Omitted columns are null. */
  columns: Partial<SignUpFields["columns"]>;
  /** As `keyedHash` returns it. Without it, a suppression does not keep letters from the entry. */
  addressHash?: string | null;
  /** As `hashMailbox` returns it. Without it, no daily limit applies. */
  mailboxHash?: string | null;
  /** As `hashNetwork` returns it: the email takes turns with those of other networks. */
  network?: number | null;
  /** Whether Turnstile verified the sign-up; null where it was not asked to. */
  verified?: boolean | null;
  /** Whether the address has to be confirmed before any other email. */
  mustConfirm?: boolean;
  /** How it came through a personal link; null if it did not. */
  referral?: {
    /** The id that the link's code stands for, which need not be an entry's. */
    referrerId: number;
    /** As `hashPrivateDomain` returns it. */
    domainHash: string | null;
  } | null;
  /** The address is a throwaway one; false if omitted. */
  disposable?: boolean;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * The entry is new, was already on the list, or was found unsubscribed. `emailId`: its email, to be sent now, which a
 * former subscriber gets once per departure. `limited`: nothing was written, because the mailbox has reached its daily
 * limit of emails; `retryAfter` in seconds.
 */
export type AddedEntry =
  | { kind: "new"; id: number; emailId: string }
  | { kind: "listed" }
  | { kind: "unsubscribed"; id: number; emailId: string }
  | { kind: "limited"; retryAfter: number };

/** Minimum time between two emails that ask to confirm an address (milliseconds). */
const CONFIRM_INTERVAL = 24 * 3_600_000;

/**
 * Adds an address and queues its welcome or confirmation email in one D1 batch: one round trip, both rows or neither.
 * Atomic: of concurrent requests for one address exactly one inserts, and those for one mailbox stay within its daily
 * limit. An unsubscribed address stays unsubscribed and is sent the rejoin email, once per departure. An unconfirmed one
 * is sent the confirmation email again, at most once a day. An email that was not sent because its address was suppressed
 * is queued again once the suppression may have ended.
 *
 * @throws when D1 fails or takes too long
 */
export async function addEntry(db: Db, added: NewEntry): Promise<AddedEntry> {
  const {
    email,
    source,
    columns,
    addressHash = null,
    mailboxHash = null,
    network = null,
    verified = null,
    mustConfirm = false,
    disposable = false,
    referral = null,
    now,
  } = added;
  const values = {
    ...Object.fromEntries(optionalColumnNames.map((name) => [name, columns[name] ?? null])),
    email,
    source,
    disposable,
    now,
    metadata: { signup_platform: "web", signup_date: new Date(now).toISOString() },
    welcomeId: crypto.randomUUID(),
    rejoinId: crypto.randomUUID(),
    addressHash,
    mailboxHash,
    network,
    dayAgo: now - DAILY_LIMIT_PERIOD,
    limitOffset: dailyLimitOf(email) - 1,
    verified: verified === true,
    priority: verified === true ? emailPriority.welcome : unverifiedPriority,
    confirmBy: mustConfirm ? now + CONFIRM_PERIOD : null,
    confirmId: crypto.randomUUID(),
    confirmBefore: now - CONFIRM_INTERVAL,
    requeuedId: crypto.randomUUID(),
    ...referral,
  };
  const results = await (referral === null ? addEntryBatch : addReferredBatch)(db, values);
  const [deciding, inserted] = results;
  const found = results.at(-1);
  const id = (inserted?.[0] as { id: number } | undefined)?.id;
  if (id !== undefined) return { kind: "new", id, emailId: mustConfirm ? values.confirmId : values.welcomeId };
  const existing = found?.[0] as Pick<Entry, "id" | "status"> | undefined;
  const limitedBy = (deciding?.[0] as { queued_at: number } | undefined)?.queued_at;
  if (limitedBy !== undefined && existing?.status !== "active") {
    return { kind: "limited", retryAfter: Math.ceil((limitedBy + DAILY_LIMIT_PERIOD - now) / 1000) };
  }
  // An invalid response from D1: report a failure rather than a sign-up.
  if (existing === undefined) throw new Error("D1 neither inserted the entry nor found it");
  if (existing.status !== "unsubscribed") return { kind: "listed" };
  return { kind: "unsubscribed", id: existing.id, emailId: values.rejoinId };
}

const addEntryBatch = prepareBatch((db) => addEntryStatements(db, []));

/** The same for an address that comes through someone's link. */
const addReferredBatch = prepareBatch((db) => addEntryStatements(db, [recordReferral(db)]));

/** @param afterEntry statements that change as many rows as the one before them, which adds the entry */
function addEntryStatements(db: Db, afterEntry: Statement[]): Statement[] {
  const given = sql.placeholder;
  const now = sql<number>`${given("now")}`;
  const deciding = decidingEmail(db, given("mailboxHash"), given("dayAgo"), given("limitOffset"));
  const isBelowLimit = sql`NOT EXISTS ${deciding}`;
  // A conflict alone would still raise SQLite's counter of ids, which is a row written.
  const isUnknown = sql`NOT EXISTS (SELECT 1 FROM ${waitlistEmails} WHERE ${waitlistEmails.email} = ${given("email")})`;
  const entry = insertWhere(db, waitlistEmails, sql`${isUnknown} AND ${isBelowLimit}`)
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
      consent_version: CONSENT_VERSION,
      consent_at: now,
      confirm_by: given("confirmBy"),
    })
    .onConflictDoNothing()
    .returning({ id: waitlistEmails.id });
  // changes() counts the previous statement's rows: no new entry, no email.
  const isNew = and(eq(waitlistEmails.email, given("email")), sql`changes() > 0`, isNull(waitlistEmails.confirm_by));
  const turn = { priority: given("priority"), network: given("network") };
  const welcomeRow = { id: given("welcomeId"), now, ...turn };
  const welcome = db.insert(emailOutbox).select(entryEmailRow(db, "welcome", welcomeRow, isNew));
  const isUnsubscribed = and(eq(waitlistEmails.email, given("email")), eq(waitlistEmails.status, "unsubscribed"));
  const rejoinRow = { id: given("rejoinId"), now, ...turn };
  const rejoin = db
    .insert(emailOutbox)
    .select(entryEmailRow(db, "rejoin", rejoinRow, and(isUnsubscribed, isBelowLimit)))
    .onConflictDoUpdate({
      target: emailOutbox.dedupe_key,
      set: { ...queuedAgain(now), priority: sql`excluded.priority`, network: sql`excluded.network` },
      setWhere: or(
        wasSuppressed(now),
        sql`coalesce(${emailOutbox.sent_at}, ${emailOutbox.dead_at})
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
    isBelowLimit,
  );
  const confirm = db
    .insert(emailOutbox)
    .select(entryEmailRow(db, "confirm", { id: given("confirmId"), now, ...turn }, mustConfirm))
    .onConflictDoUpdate({
      target: emailOutbox.dedupe_key,
      set: { ...queuedAgain(now), network: sql`excluded.network` },
      setWhere: sql`coalesce(${emailOutbox.sent_at}, ${emailOutbox.dead_at}) < ${given("confirmBefore")}`,
    });
  const isWelcome = sql`${emailOutbox.dedupe_key} = (
    SELECT 'welcome:' || id FROM ${waitlistEmails} WHERE email = ${given("email")} AND status = 'active')`;
  const requeued = db
    .update(emailOutbox)
    .set({ ...queuedAgain(now), id: sql`${given("requeuedId")}`, network: sql`${given("network")}` })
    .where(and(isWelcome, wasSuppressed(now), isBelowLimit));
  const existing = db
    .select({ id: waitlistEmails.id, status: waitlistEmails.status })
    .from(waitlistEmails)
    .where(eq(waitlistEmails.email, given("email")));
  return [deciding, entry, ...afterEntry, welcome, rejoin, confirm, requeued, existing];
}

/** The email is dead because its address was suppressed, which may have ended by now. */
function wasSuppressed(now: SQL) {
  const { dead_at, reason, next_attempt_at } = emailOutbox;
  return and(isNotNull(dead_at), inArray(reason, addressReasons), lte(next_attempt_at, now));
}
