import { and, count, eq, lte, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { eventLimits } from "#app/email/limits.ts";
import { exceeds, pauseLetters, pauseUnverifiedIfTooMany } from "#app/email/pauses.server.ts";
import type { SuppressionDeps } from "#app/email/suppression.server.ts";
import type { Config } from "#app/server/config/config.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import { recordEntryChange } from "#app/server/db/record-entry-change.server.ts";
import { emailOutbox, providerEvents, suppressions } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { letterRecipients, letters } from "#app/server/db/schema/letters.server.ts";
import { BOUNCE_SUPPRESSION, suppress } from "#app/server/db/suppressions.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { logInfo } from "#app/server/log.ts";
import { DAY, type EpochMillis } from "#app/server/time/units.ts";

/** What a provider reports about an email that it had accepted. */
export interface ProviderEvent {
  /** The provider's id of the event, the same for every delivery of it. */
  id: string;
  kind: "hard-bounce" | "soft-bounce" | "complaint" | "failed";
  /**
   * The email's id in the outbox, or the key of a letter and its recipient's entry. Null if the event names neither: then
   * it is about the last email that had been sent to the recipient.
   */
  about: { emailId: string } | { letter: string; entryId: number } | null;
  recipient: string;
  /** When it happened, if it may be received days later. */
  at?: EpochMillis;
}

export interface ProviderWebhook {
  /** What authenticates its requests; undefined if the webhook is not set up. */
  secretOf(config: Config): string | undefined;
  /** Verifies and parses a request, whose body is as received: a signature covers its exact text. */
  read(body: string, headers: Headers, secret: string): WebhookRequest;
}

export type WebhookRequest =
  | { kind: "bad-signature" }
  | { kind: "malformed" }
  /** `event` is null if this site does not act on it, or if the email is another site's. */
  | { kind: "event"; event: ProviderEvent | null };

/** Soft bounces among the last emails to an entry that suppress its address. */
const SOFT_BOUNCES = { limit: 3, among: 5 };

/**
 * How long events are remembered: well over the day or so for which Resend repeats them, and the four days
 * for which a queue keeps them. Older ones are ignored, since a repetition could not be told from a first delivery.
 */
const EVENT_RETENTION = 7 * DAY;

/**
 * Applies an event, once: it is remembered in the same D1 batch. Events may arrive repeatedly, in any order, before the
 * email is recorded as sent, and after its row was replaced or its entry erased; then the recipient's address counts.
 * Those about emails to an owner suppress nothing, so that a bounce cannot lock one out.
 *
 * @throws when D1 fails; nothing was changed, so the provider has to repeat the event
 */
export async function applyProviderEvent(deps: SuppressionDeps, event: ProviderEvent): Promise<void> {
  const { db, emailContext } = deps;
  const now = deps.now();
  const { kind, at = now } = event;
  if (at <= now - EVENT_RETENTION) return logInfo("email-event-expired", { kind });
  const about = event.about ?? (await findLastEmail(db, event.recipient, Math.min(at, now), now));
  const email = await findEmail(db, about);
  // An entry whose address was corrected may have been sent the email at the old one.
  const isOther = email === null || email.addressChangedAt !== null;
  const address = isOther ? normaliseEmail(event.recipient) : email.address;
  const isOwner = address === null || emailContext.ownerEmails.includes(address);
  const recipient = isOwner ? null : { address, hash: await keyedHash("address:v1", address, emailContext.hashKey) };
  const isNew = sql`NOT EXISTS (SELECT 1 FROM ${providerEvents} WHERE event_id = ${event.id})`;
  const known = db.select({ events: count() }).from(providerEvents).where(eq(providerEvents.event_id, event.id));
  const remember = db.insert(providerEvents).values({ event_id: event.id, received_at: now }).onConflictDoNothing();
  const effect = {
    kind,
    isNew,
    now,
    until: Math.min(at, now) + BOUNCE_SUPPRESSION,
    isOther: address !== email?.address,
  };
  const [repeated] = await db.batch([
    known,
    ...updateEmail(db, about, effect),
    ...(recipient === null ? [] : updateRecipient(db, recipient, effect)),
    remember,
  ]);
  logInfo("email-event", { ...about, kind, entryId: email?.entryId, repeated: (repeated[0]?.events ?? 0) > 0 });
}

interface Effect {
  kind: ProviderEvent["kind"];
  isNew: SQL;
  now: EpochMillis;
  /** The end of a suppression that is not for good. */
  until: EpochMillis;
  /** Whether no email of the address's entry is known, of which a trigger would record the bounce. */
  isOther: boolean;
}

async function findLastEmail(
  db: Db,
  recipient: string,
  at: EpochMillis,
  now: EpochMillis,
): Promise<{ emailId: string } | null> {
  const [found] = await db.all<{ emailId: string }>(sql`
    SELECT email_outbox.id AS emailId FROM waitlist_emails JOIN email_outbox ON entry_id = waitlist_emails.id
    WHERE email = ${normaliseEmail(recipient) ?? ""} AND first_attempt_at <= ${at}
      AND (done_at IS NOT NULL OR leased_until > ${now})
    ORDER BY first_attempt_at DESC LIMIT 1`);
  return found ?? null;
}

/** The entry that an email went to; null if it is not known, or no longer. Both are null for emails to an owner. */
async function findEmail(db: Db, about: ProviderEvent["about"]) {
  if (about === null) return null;
  const email =
    "letter" in about
      ? sql`letters JOIN letter_recipients ON letter_id = letters.id JOIN waitlist_emails ON waitlist_emails.id = entry_id
        WHERE key = ${about.letter} AND entry_id = ${about.entryId}`
      : sql`email_outbox LEFT JOIN waitlist_emails ON waitlist_emails.id = entry_id WHERE email_outbox.id = ${about.emailId}`;
  type Found = { entryId: number; address: string; addressChangedAt: EpochMillis | null };
  const [found] = await db.all<Found | Record<keyof Found, null>>(
    sql`SELECT waitlist_emails.id AS entryId, email AS address, address_changed_at AS addressChangedAt FROM ${email}`,
  );
  return found ?? null;
}

export async function deleteExpiredEvents(db: Db, now: EpochMillis): Promise<void> {
  await db.batch([
    db.delete(providerEvents).where(lte(providerEvents.received_at, now - EVENT_RETENTION)),
    db.delete(suppressions).where(lte(suppressions.until, now)),
  ]);
}

/** Records a bounce or failure of the email, whether or not it is recorded as sent yet. */
function updateEmail(
  db: Db,
  about: ProviderEvent["about"],
  { kind, isNew, now, until }: Effect,
): BatchItem<"sqlite">[] {
  if (about === null) return [];
  if ("letter" in about) return updateLetterRecipient(db, about, { kind, isNew, now });
  const isThis = and(eq(emailOutbox.id, about.emailId), isNew);
  const die = (reason: EmailReason, nextAttemptAt: EpochMillis) => {
    // A new id makes a later attempt a new email to the provider, and keeps a sender from recording this one as sent.
    const id = crypto.randomUUID();
    const dead = { id, done_at: null, dead_at: now, leased_until: 0, next_attempt_at: nextAttemptAt, reason };
    return [db.update(emailOutbox).set(dead).where(isThis)];
  };
  switch (kind) {
    case "hard-bounce":
      return [...die("address-refused", until), pauseUnverifiedIfTooMany(db, now)];
    case "failed":
      return die("rejected", now);
    case "soft-bounce":
      return [db.update(emailOutbox).set({ soft_bounced_at: now }).where(isThis)];
    case "complaint":
      return [];
  }
}

function updateLetterRecipient(
  db: Db,
  { letter: key, entryId }: { letter: string; entryId: number },
  { kind, isNew, now }: Pick<Effect, "kind" | "isNew" | "now">,
): BatchItem<"sqlite">[] {
  const isThis = sql`letter_id = (SELECT letters.id FROM letters WHERE letters.key = ${key}) AND entry_id = ${entryId}
    AND ${isNew}`;
  const update = db.update(letterRecipients);
  switch (kind) {
    case "failed":
      return [update.set({ state: "failed", reason: "rejected" }).where(and(isThis, sql`state = 'sent'`))];
    case "complaint":
      return [
        update.set({ complained_at: now }).where(and(isThis, sql`complained_at IS NULL`)),
        pauseIfTooMany(db, key, "complaints", now),
      ];
    case "hard-bounce":
    case "soft-bounce": {
      const isSoft = kind === "soft-bounce";
      const isNews = isSoft ? sql`bounced_at IS NULL` : sql`(bounced_at IS NULL OR bounced_softly)`;
      return [
        update.set({ bounced_at: now, bounced_softly: isSoft }).where(and(isThis, isNews)),
        pauseIfTooMany(db, key, "bounces", now),
      ];
    }
  }
}

function pauseIfTooMany(db: Db, key: string, reason: keyof typeof eventLimits, now: EpochMillis) {
  // A changed step of the series has a new letter: all its letters count together.
  const counted = sql`(SELECT other.id FROM letters AS other WHERE other.id = letters.id OR other.step_id = letters.step_id)`;
  const effect = reason === "complaints" ? "complained" : "bounced";
  // The index is named, because SQLite would rather read every recipient of the letter.
  const found = sql`(SELECT count(*) FROM letter_recipients
    INDEXED BY ${sql.raw(`letter_recipients_${effect}`)}
    WHERE letter_recipients.letter_id IN ${counted} AND ${sql.raw(`${effect}_at`)} IS NOT NULL)`;
  const sent = sql`(SELECT coalesce(sum(letter_batches.sent), 0) FROM letter_batches
    WHERE letter_batches.letter_id IN ${counted})`;
  const isThis = sql`${letters.id} = (SELECT coalesce((SELECT max(last.id) FROM letters AS last
    WHERE last.step_id = about.step_id), about.id) FROM letters AS about WHERE about.key = ${key})`;
  const isTooMany = exceeds(eventLimits[reason], found, sent);
  return pauseLetters(db, sql`${isThis} AND ${isTooMany}`, { reason, until: null }, now);
}

function updateRecipient(
  db: Db,
  { address, hash }: { address: string; hash: string },
  { kind, isNew, now, until, isOther }: Effect,
): BatchItem<"sqlite">[] {
  const hashes = [hash];
  const record = isOther ? [recordEntryChange(db, sql`email = ${address} AND changes() > 0`)] : [];
  switch (kind) {
    case "hard-bounce":
      return [suppress(db, { hashes, reason: "hard-bounce", until }, now, isNew), ...record];
    case "soft-bounce": {
      const bounces = sql`(SELECT count(soft_bounced_at) FROM (SELECT soft_bounced_at FROM email_outbox
        WHERE entry_id = (SELECT id FROM waitlist_emails WHERE email = ${address})
          AND (attempts > 0 OR done_at IS NOT NULL)
          AND created_at >= coalesce((SELECT address_changed_at FROM waitlist_emails WHERE email = ${address}), 0)
        ORDER BY created_at DESC LIMIT ${SOFT_BOUNCES.among}))`;
      const hasBounced = sql`${isNew} AND ${bounces} >= ${SOFT_BOUNCES.limit}`;
      return [suppress(db, { hashes, reason: "soft-bounces", until }, now, hasBounced), ...record];
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

function unsubscribeAfterComplaint(db: Db, address: string, isNew: SQL, now: EpochMillis) {
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
  const isQueued = sql`entry_id = (SELECT id FROM waitlist_emails WHERE email = ${address})
    AND done_at IS NULL AND leased_until <= ${now}`;
  return [unsubscribe, db.delete(emailOutbox).where(and(isQueued, isNew))];
}
