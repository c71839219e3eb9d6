import { and, desc, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "#app/server/db/client.server.ts";
import { entryEmailRow, queuedAgain } from "#app/server/db/enqueue-email.server.ts";
import { recordEntryChange } from "#app/server/db/record-entry-change.server.ts";
import { type EmailKind, emailOutbox, suppressions } from "#app/server/db/schema/email.server.ts";
import { type UnsubscribeReason, waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { letterRecipients } from "#app/server/db/schema/letters.server.ts";
import { type NamedSql, runBatch } from "#app/server/db/sql-batch.server.ts";
import { addressReasons, forgetErasure, liftOwnSuppression, suppress } from "#app/server/db/suppressions.server.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";
import type { NewAnswers } from "#app/waitlist/questions/answers.ts";

export type Entry = typeof waitlistEmails.$inferSelect;

export async function findEntry(db: Db, id: number): Promise<Entry | null> {
  const [entry] = await db.select().from(waitlistEmails).where(eq(waitlistEmails.id, id));
  return entry ?? null;
}

/** @param email as `normaliseEmail` returns it. @public for the API, which can be removed */
export async function findEntryId(db: Db, email: string): Promise<number | null> {
  const { id } = waitlistEmails;
  const [entry] = await db.select({ id }).from(waitlistEmails).where(eq(waitlistEmails.email, email));
  return entry?.id ?? null;
}

/** The emails queued for or sent to an entry. Of those sent long ago, only the welcome email is still known. */
export async function listEntryEmails(db: Db, id: number) {
  return db.all<{ kind: EmailKind; created_at: EpochMillis; done_at: EpochMillis | null }>(sql`
    SELECT 'welcome' AS kind, welcomed_at AS created_at, welcomed_at AS done_at
    FROM waitlist_emails WHERE id = ${id} AND welcomed_at IS NOT NULL
    UNION ALL
    SELECT kind, created_at, done_at FROM email_outbox WHERE entry_id = ${id}`);
}

/**
 * Unsubscribes an entry and deletes its queued emails. One that is being sent keeps its row, so that rejoining does not
 * queue a second welcome. People who leave by themselves after an owner, a bounce or an imported file has unsubscribed them
 * have left from then on: they are not put back if the owner undoes that.
 *
 * @returns whether anything changed
 */
export async function unsubscribeEntry(
  db: Db,
  id: number,
  now: EpochMillis,
  reason: UnsubscribeReason = "own-choice",
): Promise<boolean> {
  const { status, unsubscribe_reason, bulk_action_id } = waitlistEmails;
  const byOthers = inArray(unsubscribe_reason, ["owner", "bounce", "import"]);
  const withOthers = isNotNull(bulk_action_id);
  /** Entries that are unsubscribed already, and of which this reason counts from now on. */
  const replaced = {
    "own-choice": byOthers,
    complaint: byOthers,
    bounce: withOthers,
    import: withOthers,
    owner: undefined,
  };
  const unsubscribe = db
    .update(waitlistEmails)
    .set({ status: "unsubscribed", unsubscribed_at: now, unsubscribe_reason: reason, bulk_action_id: null })
    .where(and(eq(waitlistEmails.id, id), or(eq(status, "active"), replaced[reason])))
    .returning({ id: waitlistEmails.id });
  const cancel = db
    .delete(emailOutbox)
    .where(and(eq(emailOutbox.entry_id, id), isNull(emailOutbox.done_at), lte(emailOutbox.leased_until, now)));
  const [unsubscribed] = await db.batch([unsubscribe, leaveLetter(db, id, now), cancel]);
  return unsubscribed.length > 0;
}

/** Someone who leaves within this time of a letter probably leaves because of it. */
const LETTER_EFFECT: Millis = 14 * 24 * 3_600_000;

/** The statement that counts an unsubscription, made by the statement before it, as one from the last letter. */
function leaveLetter(db: Db, entryId: number, now: EpochMillis) {
  const { entry_id, letter_id, state, done_at } = letterRecipients;
  const isSent = and(eq(entry_id, entryId), eq(state, "sent"), gt(done_at, now - LETTER_EFFECT));
  const last = db
    .select({ id: letter_id })
    .from(letterRecipients)
    .where(isSent)
    .orderBy(desc(done_at), desc(letter_id))
    .limit(1);
  return db
    .update(letterRecipients)
    .set({ unsubscribed_at: now })
    .where(and(eq(entry_id, entryId), eq(letter_id, last), sql`changes() > 0`));
}

/** Unsubscribes an entry as {@link unsubscribeEntry} does, and suppresses its address until the person rejoins. */
export async function neverEmailEntry(db: Db, id: number, addressHash: string, now: EpochMillis): Promise<boolean> {
  const never = { hashes: [addressHash], reason: "never", until: null } as const;
  const suppressed = await suppress(db, never, now).returning({ hash: suppressions.address_hash });
  return (await unsubscribeEntry(db, id, now)) || suppressed.length > 0;
}

/**
 * Replaces the owner's note on an entry; null removes it.
 *
 * @param read the note as it was read, and statements for the same batch, which go before the change
 * @returns whether anything changed
 */
export async function noteOnEntry(
  db: Db,
  id: number,
  note: string | null,
  now: EpochMillis,
  read: { present?: string | null; before?: NamedSql[] } = {},
): Promise<boolean> {
  const { owner_note } = waitlistEmails;
  const { present, before = [] } = read;
  const isUnchanged = present === undefined ? undefined : sql`${owner_note} IS ${present}`;
  const change = db
    .update(waitlistEmails)
    .set({ owner_note: note, changed_at: now })
    .where(and(eq(waitlistEmails.id, id), sql`${owner_note} IS NOT ${note}`, isUnchanged))
    .returning({ id: waitlistEmails.id });
  const results = await runBatch(db, [...before, change.getSQL()]);
  return (results.at(-1) ?? []).length > 0;
}

/**
 * Puts an entry back on the list, and queues the welcome email if none was sent. Only the person's own link leads here,
 * so it also confirms the address and is a new consent.
 *
 * @param consentVersion the wording that the link's page showed; null where none is stated
 * @param addressHash hash of the entry's address, if the person asks: it lifts their complaint, and their wish never to
 *   be emailed
 * @param after further statements for the same batch
 * @returns whether anything changed
 */
export async function rejoinEntry(
  db: Db,
  id: number,
  now: EpochMillis,
  {
    consentVersion = null,
    addressHash = "",
    after = [],
  }: { consentVersion?: string | null; addressHash?: string; after?: readonly BatchItem<"sqlite">[] } = {},
): Promise<boolean> {
  const rejoin = db
    .update(waitlistEmails)
    .set({
      status: "active",
      unsubscribed_at: null,
      unsubscribe_reason: null,
      bulk_action_id: null,
      consent_version: consentVersion,
      consent_at: now,
      // It says how the earlier consent was given.
      consent_note: null,
      confirmed_at: sql`coalesce(${waitlistEmails.confirmed_at}, ${now})`,
      changed_at: now,
    })
    .where(and(eq(waitlistEmails.id, id), eq(waitlistEmails.status, "unsubscribed")))
    .returning({ id: waitlistEmails.id });
  const isNotWelcomed = isNull(waitlistEmails.welcomed_at);
  const hasRejoined = and(eq(waitlistEmails.id, id), sql`changes() > 0`, isNotWelcomed);
  const welcome = db
    .insert(emailOutbox)
    .select(entryEmailRow(db, "welcome", { id: crypto.randomUUID(), now }, hasRejoined))
    .onConflictDoUpdate({
      target: emailOutbox.dedupe_key,
      set: { ...queuedAgain(now), priority: sql`excluded.priority` },
      // It was not sent because its address was suppressed at that time.
      setWhere: and(isNotNull(emailOutbox.dead_at), inArray(emailOutbox.reason, addressReasons)),
    });
  // Of someone who had not left: rejoining is a change that a trigger records.
  const isLiftedAlone = sql`id = ${id} AND changes() > 0 AND consent_at IS NOT ${now}`;
  // The erasure is forgotten last: statements of features may ask what is known of it.
  const lift = [
    liftOwnSuppression(db, addressHash),
    recordEntryChange(db, isLiftedAlone),
    forgetErasure(db, id),
  ] as const;
  const [rejoined] = await db.batch([rejoin, welcome, ...after, ...lift]);
  return rejoined.length > 0;
}

/** Stores answers by question, and removes those that are null; others stay. Returns whether anything changed. */
export async function setAnswers(db: Db, id: number, answers: NewAnswers, now: EpochMillis): Promise<boolean> {
  const merged = mergedAnswers(answers);
  const changed = await db
    .update(waitlistEmails)
    .set({ answers: merged, changed_at: now })
    .where(and(eq(waitlistEmails.id, id), sql`${waitlistEmails.answers} IS NOT ${merged}`))
    .returning({ id: waitlistEmails.id });
  return changed.length > 0;
}

/** The stored answers with new ones: a merge patch (RFC 7396), in which null removes a key. */
export function mergedAnswers(answers: NewAnswers): SQL {
  return sql`nullif(json_patch(coalesce(${waitlistEmails.answers}, '{}'), ${JSON.stringify(answers)}), '{}')`;
}

/** Minimum time between two emails with a new link to one entry. */
const LINK_INTERVAL: Millis = 24 * 3_600_000;

/**
 * Queues an email with a new link to an entry, unless one is queued or was sent within {@link LINK_INTERVAL}.
 *
 * @returns the email's id, or null if none was queued
 */
export async function enqueueDataLink(db: Db, id: number, now: EpochMillis): Promise<string | null> {
  const emailId = crypto.randomUUID();
  const queued = await db
    .insert(emailOutbox)
    .select(entryEmailRow(db, "my-data-link", { id: emailId, now }, eq(waitlistEmails.id, id)))
    .onConflictDoUpdate({
      target: emailOutbox.dedupe_key,
      set: queuedAgain(now),
      setWhere: sql`coalesce(${emailOutbox.done_at}, ${emailOutbox.dead_at}) <= ${now - LINK_INTERVAL}`,
    })
    .returning({ id: emailOutbox.id });
  return queued[0]?.id ?? null;
}
