import { and, count, desc, eq, gt, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { holdIfTooMany } from "#app/email/bounce-hold.server.ts";
import type { ProviderEvent } from "#app/email/provider-event.ts";
import { keyedHash } from "#app/server/address-hash.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import { emailOutbox, providerEvents, suppressions } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { letterRecipients, letters } from "#app/server/db/schema/letters.server.ts";
import { BOUNCE_SUPPRESSION, suppress } from "#app/server/db/suppressions.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { logInfo } from "#app/server/log.ts";

export interface ProviderEventDeps {
  db: Db;
  emailContext: { hashKey: string; ownerEmails: string[] };
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Soft bounces among the last emails to an entry that suppress its address. */
const SOFT_BOUNCES = { limit: 3, among: 5 };

/**
 * How long events are remembered (milliseconds): well over the day or so for which Resend repeats them, and the four days
 * for which a queue keeps them. Older ones are ignored, since a repetition could not be told from a first delivery.
 */
const EVENT_RETENTION = 7 * 24 * 3_600_000;

/**
 * Applies an event, once: it is remembered in the same D1 batch. Events may arrive repeatedly, in any order, before the
 * email is recorded as sent, and after its row was replaced or its entry erased; then the recipient's address counts.
 * Those about emails to an owner suppress nothing, so that a bounce cannot lock one out.
 *
 * @throws when D1 fails; nothing was changed, so the provider has to repeat the event
 */
export async function applyProviderEvent(deps: ProviderEventDeps, event: ProviderEvent): Promise<void> {
  const { db, emailContext } = deps;
  const now = deps.now();
  const { kind, at = now } = event;
  if (at <= now - EVENT_RETENTION) return logInfo("email-event-expired", { kind });
  const about = event.about ?? (await findLastEmail(db, event.recipient, Math.min(at, now), now));
  const email = await findEmail(db, about);
  const address = email === null ? normaliseEmail(event.recipient) : email.address;
  const isOwner = address === null || emailContext.ownerEmails.includes(address);
  const hash = isOwner ? null : await keyedHash("address:v1", address, emailContext.hashKey);
  const isNew = sql`NOT EXISTS (SELECT 1 FROM ${providerEvents} WHERE event_id = ${event.id})`;
  const known = db.select({ events: count() }).from(providerEvents).where(eq(providerEvents.event_id, event.id));
  const remember = db.insert(providerEvents).values({ event_id: event.id, received_at: now }).onConflictDoNothing();
  const effect = { kind, isNew, now, until: Math.min(at, now) + BOUNCE_SUPPRESSION };
  const [repeated] = await db.batch([
    known,
    ...(await updateEmail(db, about, effect)),
    ...(isOwner || hash === null ? [] : updateRecipient(db, { address, hash }, effect)),
    remember,
  ]);
  const repeatedEvent = (repeated[0]?.events ?? 0) > 0;
  logInfo("email-event", { ...about, kind, entryId: email?.entryId, repeated: repeatedEvent });
}

/** What an event changes. */
interface Effect {
  kind: ProviderEvent["kind"];
  /** Whether the event is not remembered yet. */
  isNew: SQL;
  now: number;
  /** The end of a suppression that is not for good. */
  until: number;
}

/** The last email to an entry that had been sent, or was being sent, at a time. */
async function findLastEmail(db: Db, recipient: string, at: number, now: number): Promise<{ emailId: string } | null> {
  const { id, entry_id, sent_at, leased_until, first_attempt_at } = emailOutbox;
  const [found] = await db
    .select({ emailId: id })
    .from(waitlistEmails)
    .innerJoin(emailOutbox, eq(entry_id, waitlistEmails.id))
    .where(
      and(
        eq(waitlistEmails.email, normaliseEmail(recipient) ?? ""),
        lte(first_attempt_at, at),
        or(isNotNull(sent_at), gt(leased_until, now)),
      ),
    )
    .orderBy(desc(first_attempt_at))
    .limit(1);
  return found ?? null;
}

/** The entry that an email went to; null if it is not known, or no longer. Both are null for emails to an owner. */
async function findEmail(db: Db, about: ProviderEvent["about"]) {
  if (about === null) return null;
  const columns = { entryId: waitlistEmails.id, address: waitlistEmails.email };
  if ("letter" in about) {
    const [found] = await db
      .select(columns)
      .from(letters)
      .innerJoin(letterRecipients, eq(letterRecipients.letter_id, letters.id))
      .innerJoin(waitlistEmails, eq(waitlistEmails.id, letterRecipients.entry_id))
      .where(and(eq(letters.key, about.letter), eq(letterRecipients.entry_id, about.entryId)));
    return found ?? null;
  }
  const [found] = await db
    .select(columns)
    .from(emailOutbox)
    .leftJoin(waitlistEmails, eq(waitlistEmails.id, emailOutbox.entry_id))
    .where(eq(emailOutbox.id, about.emailId));
  return found ?? null;
}

/** Deletes what is remembered only for a time: events, and suppressions that have ended. */
export async function deleteExpiredEvents(db: Db, now: number): Promise<void> {
  await db.batch([
    db.delete(providerEvents).where(lte(providerEvents.received_at, now - EVENT_RETENTION)),
    db.delete(suppressions).where(lte(suppressions.until, now)),
  ]);
}

/** Records a bounce or failure of the email, whether or not it is recorded as sent yet. */
async function updateEmail(db: Db, about: ProviderEvent["about"], { kind, isNew, now, until }: Effect) {
  if (about === null) return [];
  if ("letter" in about) {
    // On demand, since few events are about letters.
    const { updateLetterRecipient } = await import("#app/email/letter-events.server.ts");
    return updateLetterRecipient(db, about, kind, isNew, now);
  }
  const isThis = and(eq(emailOutbox.id, about.emailId), isNew);
  const die = (reason: EmailReason, nextAttemptAt: number) => {
    // A new id makes a later attempt a new email to the provider, and keeps a sender from recording this one as sent.
    const id = crypto.randomUUID();
    const dead = { id, sent_at: null, dead_at: now, leased_until: 0, next_attempt_at: nextAttemptAt, reason };
    return [db.update(emailOutbox).set(dead).where(isThis)];
  };
  switch (kind) {
    case "hard-bounce":
      return [...die("address-refused", until), holdIfTooMany(db, now)];
    case "failed":
      return die("rejected", now);
    case "soft-bounce":
      return [db.update(emailOutbox).set({ soft_bounced_at: now }).where(isThis)];
    case "complaint":
      return [];
  }
}

interface Recipient {
  address: string;
  /** Of the address. */
  hash: string;
}

/** Suppresses the address after a bounce or complaint, and unsubscribes its entry after a complaint. */
function updateRecipient(
  db: Db,
  { address, hash }: Recipient,
  { kind, isNew, now, until }: Effect,
): BatchItem<"sqlite">[] {
  const hashes = [hash];
  switch (kind) {
    case "hard-bounce":
      return [suppress(db, { hashes, reason: "hard-bounce", until }, now, isNew)];
    case "soft-bounce": {
      const hasBounced = sql`${isNew} AND ${recentSoftBounces(address)} >= ${SOFT_BOUNCES.limit}`;
      return [suppress(db, { hashes, reason: "soft-bounces", until }, now, hasBounced)];
    }
    case "complaint":
      return [
        ...unsubscribeAfterComplaint(db, address, isNew, now),
        suppress(db, { hashes, reason: "complaint", until: null }, now, isNew),
      ];
    case "failed":
      return [];
  }
}

/** Unsubscribes the entry and deletes its queued emails. */
function unsubscribeAfterComplaint(db: Db, address: string, isNew: SQL, now: number) {
  const { status, unsubscribed_at } = waitlistEmails;
  const unsubscribe = db
    .update(waitlistEmails)
    .set({
      status: "unsubscribed",
      unsubscribed_at: sql`iif(${status} = 'active', ${now}, ${unsubscribed_at})`,
      unsubscribe_reason: "complaint",
      bulk_action_id: null,
    })
    .where(and(eq(waitlistEmails.email, address), isNew));
  const cancel = db
    .delete(emailOutbox)
    .where(
      and(
        sql`${emailOutbox.entry_id} = (SELECT id FROM waitlist_emails WHERE email = ${address})`,
        isNull(emailOutbox.sent_at),
        lte(emailOutbox.leased_until, now),
        isNew,
      ),
    );
  return [unsubscribe, cancel];
}

/** How many of the last emails to an address were bounced softly. */
function recentSoftBounces(address: string): SQL {
  return sql`(SELECT count(soft_bounced_at) FROM (
    SELECT soft_bounced_at FROM email_outbox
    WHERE entry_id = (SELECT id FROM waitlist_emails WHERE email = ${address}) AND (attempts > 0 OR sent_at IS NOT NULL)
    ORDER BY created_at DESC LIMIT ${SOFT_BOUNCES.among}
  ))`;
}
