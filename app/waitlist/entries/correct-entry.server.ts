import { and, eq, inArray, isNotNull, isNull, lte, ne, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { AppContext } from "#app/server/context.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { entryEmailRow, randomUuid, unattempted } from "#app/server/db/enqueue-email.server.ts";
import { type EmailKind, emailOutbox } from "#app/server/db/schema/email.server.ts";
import { type EntryStatus, waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { findSuppressed, isKeptOut, type Suppression } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { hashMailbox } from "#app/server/hashes/mailbox.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { CONFIRM_PERIOD, confirmationOf } from "#app/waitlist/confirmation/confirmation.ts";
import { type Entry, findEntry, mergedAnswers } from "#app/waitlist/entries/entries.server.ts";
import type { NewAnswers } from "#app/waitlist/questions/answers.ts";

type CorrectDeps = Pick<AppContext, "db" | "hashKey" | "disposableDomains" | "mustConfirm" | "now">;

export interface Correction {
  /** As `normaliseEmail` returns it. */
  email: string;
  answers: NewAnswers;
  /** The owner’s note; null removes it, undefined leaves it. */
  note?: string | null | undefined;
}

export type Corrected =
  /** `confirmId`: the email that asks to confirm the new address, to be sent now. */
  | { kind: "changed"; hasNewAddress: boolean; hasNewAnswers: boolean; hasNewNote: boolean; confirmId: string | null }
  | { kind: "unchanged" }
  /** Someone else has changed the entry since it was read. */
  | { kind: "outdated" }
  | AddressRefusal;

/** Why an entry cannot have a new address. Nothing was changed. */
export type AddressRefusal =
  /** Another entry has it. */
  | { kind: "taken"; id: number; status: EntryStatus }
  | { kind: "suppressed"; suppression: Suppression }
  /** Its person erased their entry themselves, or had left when others erased it. */
  | { kind: "erased" }
  /** The entry's person has unsubscribed, or had reported spam or asked for no email: that must not end with an address. */
  | { kind: "unsubscribed" | "wants-none" };

/** Whether a new address of this entry has to be confirmed: where the site asks for that, or had asked for the old one. */
export function asksToConfirm(entry: Entry, mustConfirm: boolean): boolean {
  return mustConfirm || confirmationOf(entry) === "unconfirmed";
}

/**
 * Changes the address, the answers and the note of an entry in one D1 batch; or nothing. Everything else stays: the number,
 * the consent, friends, letters. The old address is sent nothing any more, but for an email that is being sent.
 *
 * @param entry as it was read
 */
export async function correctEntry(deps: CorrectDeps, entry: Entry, correction: Correction): Promise<Corrected> {
  const { db, hashKey, disposableDomains, mustConfirm } = deps;
  const { email, answers, note } = correction;
  const now = deps.now();
  const { id, status, changed_at } = waitlistEmails;
  const hasNewAddress = email !== entry.email;
  const hasNewAnswers = Object.entries(answers).some(([key, answer]) => (entry.answers?.[key] ?? null) !== answer);
  const hasNewNote = note !== undefined && note !== entry.owner_note;
  if (!hasNewAddress && !hasNewAnswers && !hasNewNote) return { kind: "unchanged" };
  const isAsRead = and(
    eq(id, entry.id),
    eq(waitlistEmails.email, entry.email),
    sql`${changed_at} IS ${entry.changed_at}`,
  );
  const others = {
    ...(hasNewAnswers ? { answers: mergedAnswers(answers) } : {}),
    ...(hasNewNote ? { owner_note: note } : {}),
    changed_at: now,
  };
  const has = { hasNewAddress, hasNewAnswers, hasNewNote };
  if (!hasNewAddress) {
    const change = db.update(waitlistEmails).set(others);
    const changed = await change.where(isAsRead).returning({ id });
    return changed.length === 0 ? { kind: "outdated" } : { kind: "changed", ...has, confirmId: null };
  }
  if (entry.status !== "active") return { kind: "unsubscribed" };
  const hashOf = (address: string) => keyedHash("address:v1", address, hashKey);
  const [oldHash, hash] = await Promise.all([hashOf(entry.email), hashOf(email)]);
  const before = await suppressionOf(db, oldHash, now);
  if (before?.reason === "complaint" || before?.reason === "never") return { kind: "wants-none" };
  const mustBeConfirmed = asksToConfirm(entry, mustConfirm);
  const isFree = sql`NOT EXISTS (SELECT 1 FROM waitlist_emails AS other WHERE other.email = ${email})
    AND NOT ${isKeptOut(hash, now)}`;
  const change = db
    .update(waitlistEmails)
    .set({
      ...others,
      email,
      address_hash: hash,
      mailbox_hash: await hashMailbox(email, hashKey),
      disposable: await disposableDomains.has(email),
      address_changed_at: now,
      ...(mustBeConfirmed ? { confirm_by: now + CONFIRM_PERIOD, confirmed_at: null, reminded_at: null } : {}),
    })
    .where(and(isAsRead, eq(status, "active"), isFree))
    .returning({ id });
  const confirmId = mustBeConfirmed ? crypto.randomUUID() : null;
  const isChanged = sql`EXISTS (SELECT 1 FROM waitlist_emails AS entry
    WHERE entry.id = ${entry.id} AND entry.email = ${email} AND entry.address_changed_at = ${now})`;
  const [[changed]] = await db.batch([change, ...outboxStatements(db, entry.id, isChanged, confirmId, now)]);
  if (changed !== undefined) return { kind: "changed", ...has, confirmId };
  return (await findRefusal(db, entry.id, email, hash, now)) ?? { kind: "outdated" };
}

/** Each attempt fails only if another change comes between its read and its write. */
const MAX_ATTEMPTS = 8;

/**
 * Makes a correction whatever the entry was before: reads it again if it is changed meanwhile. Null if there is no entry.
 *
 * @param correction without an address, that stays
 */
export async function correctLatest(
  deps: CorrectDeps,
  id: number,
  correction: Omit<Correction, "email"> & { email: string | undefined },
  attempts = MAX_ATTEMPTS,
): Promise<Exclude<Corrected, { kind: "outdated" }> | null> {
  const entry = await findEntry(deps.db, id);
  if (entry === null) return null;
  const corrected = await correctEntry(deps, entry, { ...correction, email: correction.email ?? entry.email });
  if (corrected.kind !== "outdated") return corrected;
  if (attempts === 1) throw new Error("the entry kept changing");
  return correctLatest(deps, id, correction, attempts - 1);
}

/** Emails that are about the person, not about the address that was entered. */
const personal: EmailKind[] = ["welcome", "milestone", "letter"];

/**
 * The statements that keep an entry's emails from its old address. Waiting ones about the person go to the new address, as
 * new emails: a provider may have the key of an earlier attempt, and their links count from now on. The others, and what had
 * failed, go. One that is being sent is left alone: it may have gone to the old address already.
 *
 * @param confirmId for the email that asks to confirm the new address; null if there is none
 */
function outboxStatements(db: Db, entryId: number, isChanged: SQL, confirmId: string | null, now: EpochMillis) {
  const { entry_id, kind, done_at, dead_at, leased_until } = emailOutbox;
  const isIdle = and(eq(entry_id, entryId), isNull(done_at), lte(leased_until, now), isChanged);
  const forget = db.delete(emailOutbox).where(and(isIdle, or(notInArray(kind, personal), isNotNull(dead_at))));
  const redirect = db
    .update(emailOutbox)
    .set({ ...unattempted, id: randomUuid, created_at: now })
    .where(and(isIdle, inArray(kind, personal)));
  // A reminder follows the new request. An attempt at the earlier one that ends meanwhile finds its row gone.
  const forgetRequest = db
    .delete(emailOutbox)
    .where(and(eq(entry_id, entryId), inArray(kind, ["confirm", "confirm-reminder"]), isChanged));
  const isThis = and(eq(waitlistEmails.id, entryId), isChanged);
  const ask = db.insert(emailOutbox).select(entryEmailRow(db, "confirm", { id: confirmId, now }, isThis));
  return [forget, redirect, forgetRequest, ...(confirmId === null ? [] : [ask])] as const;
}

async function suppressionOf(db: Db, hash: string, now: EpochMillis): Promise<Suppression | undefined> {
  return (await findSuppressed(db, [hash], now)).get(hash);
}

async function findRefusal(
  db: Db,
  entryId: number,
  email: string,
  hash: string,
  now: EpochMillis,
): Promise<AddressRefusal | null> {
  const { id, status } = waitlistEmails;
  const isOther = and(eq(waitlistEmails.email, email), ne(id, entryId));
  const [taken] = await db.select({ id, status }).from(waitlistEmails).where(isOther);
  if (taken !== undefined) return { kind: "taken", ...taken };
  const suppression = await suppressionOf(db, hash, now);
  if (suppression !== undefined) return { kind: "suppressed", suppression };
  const [kept] = await db.all(sql`SELECT 1 WHERE ${isKeptOut(hash, now)}`);
  return kept === undefined ? null : { kind: "erased" };
}
