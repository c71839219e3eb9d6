import { and, eq, sql } from "drizzle-orm";
import type { AppContext } from "#app/server/context.ts";
import { entryEmailRow } from "#app/server/db/enqueue-email.server.ts";
import { insertWhere } from "#app/server/db/insert-where.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import { type Answers, waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { findSuppressed, isKeptOut, type Suppression } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { hashMailbox } from "#app/server/hashes/mailbox.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { CONFIRM_PERIOD } from "#app/waitlist/confirmation/confirmation.ts";

type AddByHandDeps = Pick<AppContext, "db" | "hashKey" | "disposableDomains" | "mustConfirm" | "now">;

/** What an owner knows about a person who agreed outside the site. */
export interface KnownPerson {
  /** As `normaliseEmail` returns it. */
  email: string;
  source: string;
  answers: Answers | null;
  consent: { at: EpochMillis; note: string };
  /** Whether they are sent the welcome email, or the one that asks them to confirm where addresses have to be. */
  sendsEmail: boolean;
}

export type AddedByHand =
  | { kind: "added"; id: number }
  | { kind: "listed" | "unsubscribed"; id: number }
  | { kind: "suppressed"; suppression: Suppression }
  /** They erased their entry themselves, or had left when others erased it. */
  | { kind: "erased" };

/**
 * Adds a person whom an owner knows, with the record of their consent, and queues their email in the same D1 batch. Changes
 * nothing if the address has an entry, gets no email, or is one whose person erased themselves or had left. Atomic.
 */
export async function addByHand(deps: AddByHandDeps, person: KnownPerson): Promise<AddedByHand> {
  const { db, hashKey, disposableDomains, mustConfirm } = deps;
  const { email, source, answers, consent, sendsEmail } = person;
  const now = deps.now();
  const hash = await keyedHash("address:v1", email, hashKey);
  const isThis = eq(waitlistEmails.email, email);
  const isFree = sql`NOT EXISTS (SELECT 1 FROM ${waitlistEmails} WHERE ${isThis}) AND NOT ${isKeptOut(hash, now)}`;
  const asksToConfirm = mustConfirm && sendsEmail;
  const entry = insertWhere(db, waitlistEmails, isFree)
    .values({
      email,
      source,
      answers,
      metadata: { signup_platform: "owner", signup_date: new Date(now).toISOString() },
      created_at: now,
      consent_at: consent.at,
      consent_note: consent.note,
      confirm_by: asksToConfirm ? now + CONFIRM_PERIOD : null,
      address_hash: hash,
      mailbox_hash: await hashMailbox(email, hashKey),
      disposable: await disposableDomains.has(email),
    })
    .returning({ id: waitlistEmails.id });
  const isAdded = and(isThis, sql`changes() > 0`, sendsEmail ? undefined : sql`false`);
  const row = { id: crypto.randomUUID(), now };
  const queue = db.insert(emailOutbox).select(entryEmailRow(db, asksToConfirm ? "confirm" : "welcome", row, isAdded));
  const found = db.select({ id: waitlistEmails.id, status: waitlistEmails.status }).from(waitlistEmails).where(isThis);
  const [[added], , [existing]] = await db.batch([entry, queue, found]);
  if (added !== undefined) return { kind: "added", id: added.id };
  if (existing !== undefined) {
    return { kind: existing.status === "unsubscribed" ? "unsubscribed" : "listed", id: existing.id };
  }
  const suppression = (await findSuppressed(db, [hash], now)).get(hash);
  return suppression === undefined ? { kind: "erased" } : { kind: "suppressed", suppression };
}
