import { sql } from "drizzle-orm";
import type { AppContext } from "#app/server/context.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { findSuppressed, type Suppression } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { logInfo, logSampled } from "#app/server/log.ts";
import { britishDate } from "#app/server/time/british-date.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";
import {
  type Entry,
  enqueueDataLink,
  findEntry,
  neverEmailEntry,
  rejoinEntry,
  setAnswers,
  unsubscribeEntry,
} from "#app/waitlist/entries/entries.server.ts";
import { eraseOwnEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import type { Intent } from "#app/waitlist/my-data/entry-view.ts";
import { verifyDataToken, verifyEntryToken } from "#app/waitlist/my-data/token.server.ts";
import type { NewAnswers } from "#app/waitlist/questions/answers.ts";
import { askedQuestions, presentAnswers } from "#app/waitlist/questions/questions.server.ts";
import type { TicketData } from "#app/waitlist/sign-up/ticket/ticket-data.ts";

export type OwnEntryDeps = Pick<AppContext, "db" | "linkSecrets" | "hashKey" | "mustConfirm" | "entryHooks" | "now">;

export type OwnEntry =
  | { kind: "bad-link" }
  | { kind: "expired" }
  | { kind: "gone" }
  | { kind: "found"; entry: Entry; suppression: Suppression | null; underWay: boolean };

/**
 * `changed` is false if the entry already had the requested state. `underWay`: whether an email may arrive although its
 * person has just left, see {@link isEmailUnderWay}.
 */
export type ChangeOutcome =
  | { kind: "bad-link" }
  | { kind: "expired" }
  | { kind: "done"; changed: boolean; underWay?: boolean };

/** Changes nothing. */
export async function readOwnEntry(deps: OwnEntryDeps, token: string): Promise<OwnEntry> {
  return withDataToken(deps, token, (entry) => readEntry(deps, entry));
}

/**
 * The response to an expired link does not reveal whether the entry still exists. A link that was emailed before the address
 * was corrected counts as expired: someone else may read that mailbox. A new link goes to the new address.
 */
async function withDataToken<T>(
  { db, linkSecrets, now }: OwnEntryDeps,
  token: string,
  use: (entry: Entry | null, entryId: number) => Promise<T>,
): Promise<T | { kind: "bad-link" } | { kind: "expired" }> {
  const verified = await verifyDataToken(token, linkSecrets, now());
  if (verified === null) return { kind: "bad-link" };
  const { entryId, issuedAt, expired } = verified;
  if (expired) return { kind: "expired" };
  const entry = await findEntry(db, entryId);
  return issuedAt < (entry?.address_changed_at ?? 0) ? { kind: "expired" } : use(entry, entryId);
}

async function readEntry({ db, hashKey, now }: OwnEntryDeps, entry: Entry | null): Promise<OwnEntry> {
  if (entry === null) return { kind: "gone" };
  const { id } = entry;
  const hash = await keyedHash("address:v1", entry.email, hashKey);
  const suppression = (await findSuppressed(db, [hash], now())).get(hash) ?? null;
  const underWay = entry.status === "unsubscribed" && (await isEmailUnderWay(db, id, now()));
  return { kind: "found", entry, suppression, underWay };
}

export type EntryView = ReturnType<typeof toEntryView>;

export function toEntryView(own: OwnEntry) {
  if (own.kind !== "found") return { kind: own.kind };
  const { entry, suppression, underWay } = own;
  return {
    kind: entry.status,
    masked: maskEmail(entry.email),
    /** The address is suppressed for good. */
    never: suppression !== null && suppression.until === null,
    /** Its person has left, and an email that the provider has may still arrive. */
    underWay,
    /** An owner unsubscribed it, and may undo that unless its person unsubscribes too. */
    mayReturn: entry.status === "unsubscribed" && entry.unsubscribe_reason === "owner",
    questions: askedQuestions(),
    answers: presentAnswers(entry.answers),
  };
}

/** The ticket of an entry, as after joining. @param via the code of its personal link, where there are such links */
export function entryTicket(entry: Entry, via: string | undefined): TicketData {
  const joinedOn = britishDate(entry.created_at).text;
  return { joinedOn, via, questions: askedQuestions(), answered: presentAnswers(entry.answers) };
}

/** An address that only its owner recognises: `a•••@e•••.com`. Hides the number of characters left out. */
export function maskEmail(email: string): string {
  const [, first = "", host = "", ending = ""] = /^(.)[^@]*@(.).*\.([^.]+)$/u.exec(email) ?? [];
  return `${first}•••@${host}•••.${ending}`;
}

/** Changes a token's entry. Idempotent. @param wording the version that people who rejoin agree to; null if none is stated */
export async function changeOwnEntry(
  deps: OwnEntryDeps,
  token: string,
  intent: Intent,
  wording: string | null = null,
): Promise<ChangeOutcome> {
  return withDataToken(deps, token, (entry, entryId) => changeEntry(deps, entryId, intent, wording, entry));
}

/** Changes the answers of a token's entry. Idempotent. */
export async function changeOwnAnswers(deps: OwnEntryDeps, token: string, answers: NewAnswers): Promise<ChangeOutcome> {
  return withDataToken(deps, token, async (_, entryId) => {
    const changed = await setAnswers(deps.db, entryId, answers, deps.now());
    logOwnChange(entryId, "answers", changed);
    return { kind: "done", changed };
  });
}

/**
 * Queues an email with a new link for the holder of an expired one, at most one a day.
 *
 * @returns the queued email's id, or null if none was queued. It must not show in the response, which would reveal
 *   whether the entry still exists
 */
export async function requestNewLink(
  { db, linkSecrets, now }: OwnEntryDeps,
  token: string,
): Promise<{ kind: "bad-link" } | { kind: "done"; emailId: string | null }> {
  const verified = await verifyDataToken(token, linkSecrets, now());
  if (verified === null) return { kind: "bad-link" };
  const emailId = await enqueueDataLink(db, verified.entryId, now());
  logSampled("info", "new-link-requested", { entryId: verified.entryId, queued: emailId !== null });
  return { kind: "done", emailId };
}

/** Changes nothing. */
export async function readUnsubscribeEntry(deps: OwnEntryDeps, token: string): Promise<OwnEntry> {
  const id = await verifyEntryToken("unsubscribe:v1", token, [deps.hashKey]);
  return id === null ? { kind: "bad-link" } : readEntry(deps, await findEntry(deps.db, id));
}

/** Unsubscribes the entry of a token that can do nothing else. Idempotent. */
export async function unsubscribeByToken(deps: OwnEntryDeps, token: string): Promise<ChangeOutcome> {
  const id = await verifyEntryToken("unsubscribe:v1", token, [deps.hashKey]);
  if (id === null) return { kind: "bad-link" };
  return changeEntry(deps, id, "unsubscribe");
}

async function changeEntry(
  deps: OwnEntryDeps,
  entryId: number,
  intent: Intent,
  wording: string | null = null,
  entry: Entry | null = null,
): Promise<ChangeOutcome> {
  // Before the change, which deletes what is known about it.
  const underWay = intent !== "rejoin" && (await isEmailUnderWay(deps.db, entryId, deps.now()));
  const changed = await change(deps, entryId, intent, wording, entry);
  logOwnChange(entryId, intent, changed);
  return { kind: "done", changed, underWay };
}

async function change(
  { db, hashKey, mustConfirm, entryHooks, now }: OwnEntryDeps,
  id: number,
  intent: Intent,
  consentVersion: string | null,
  entry: Entry | null,
): Promise<boolean> {
  if (intent === "unsubscribe") return unsubscribeEntry(db, id, now());
  if (entry === null) return false;
  const hash = await keyedHash("address:v1", entry.email, hashKey);
  if (intent === "erase") return eraseOwnEntry(db, id, hash, now());
  if (intent === "never") return neverEmailEntry(db, id, hash, now());
  const at = now();
  // Milestones are looked for once an hour.
  const after = mustConfirm ? entryHooks.onConfirmed?.(db, { entryId: id, now: at, milestones: [] }) : [];
  return rejoinEntry(db, id, at, { consentVersion, addressHash: hash, after });
}

/** Logs every change, but only some of the requests that changed nothing: they can be repeated without end. */
export function logOwnChange(entryId: number, intent: string, changed: boolean): void {
  const fields = { entryId, intent, changed };
  if (changed) logInfo("entry-changed-by-subscriber", fields);
  else logSampled("info", "entry-changed-by-subscriber", fields);
}

/** How long an attempt without a known outcome can still lead to an email. */
const DAY: Millis = 24 * 3_600_000;

/**
 * Whether an email or a letter to an entry was handed to the provider, or is being so, and its outcome is not known: it
 * cannot be called back.
 */
async function isEmailUnderWay(db: Db, entryId: number, now: EpochMillis): Promise<boolean> {
  const email = sql`SELECT 1 FROM email_outbox WHERE entry_id = ${entryId} AND done_at IS NULL AND dead_at IS NULL
    AND first_attempt_at > ${now - DAY}`;
  const letter = sql`SELECT 1 FROM letter_recipients AS recipient
    JOIN letters ON letters.id = recipient.letter_id
    JOIN letter_batches AS batch ON batch.letter_id = letters.id
      AND batch.number = recipient.position / letters.batch_size
    WHERE recipient.entry_id = ${entryId} AND recipient.state = 'pending' AND batch.first_attempt_at > ${now - DAY}`;
  const [row] = await db.all<{ found: number }>(sql`SELECT EXISTS (${email}) OR EXISTS (${letter}) AS found`);
  return row?.found === 1;
}
