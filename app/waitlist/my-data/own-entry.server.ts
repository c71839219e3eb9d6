import { sql } from "drizzle-orm";
import type { AppContext } from "#app/server/context.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { findSuppressed, type Suppression } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { logSampled } from "#app/server/log.ts";
import { questions } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import {
  type Entry,
  enqueueDataLink,
  findEntry,
  listEntryEmails,
  neverEmailEntry,
  rejoinEntry,
  unsubscribeEntry,
} from "#app/waitlist/entries/entries.server.ts";
import { eraseOwnEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import type { EntryView, Intent } from "#app/waitlist/my-data/entry-view.ts";
import { findOwnReferral, listReached, readFriends } from "#app/waitlist/my-data/friends.server.ts";
import { logOwnChange } from "#app/waitlist/my-data/log-change.server.ts";
import { maskEmail } from "#app/waitlist/my-data/mask.ts";
import { listEntryLetters } from "#app/waitlist/my-data/own-letters.server.ts";
import { verifyDataToken, verifyEntryToken } from "#app/waitlist/my-data/token.server.ts";
import { presentAnswers } from "#app/waitlist/questions/questions.server.ts";
import { shownColumns } from "#app/waitlist/sign-up/entry-fields.server.ts";

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
  const verified = await verifyDataToken(token, deps.linkSecrets, deps.now());
  if (verified === null) return { kind: "bad-link" };
  // The response to an expired link does not reveal whether the entry still exists.
  return verified.expired ? { kind: "expired" } : readEntry(deps, verified.entryId);
}

async function readEntry({ db, hashKey, now }: OwnEntryDeps, id: number): Promise<OwnEntry> {
  const entry = await findEntry(db, id);
  if (entry === null) return { kind: "gone" };
  const hash = await keyedHash("address:v1", entry.email, hashKey);
  const suppression = (await findSuppressed(db, [hash], now())).get(hash) ?? null;
  const underWay = entry.status === "unsubscribed" && (await isEmailUnderWay(db, id, now()));
  return { kind: "found", entry, suppression, underWay };
}

export function toEntryView(own: OwnEntry): EntryView {
  if (own.kind !== "found") return { kind: own.kind };
  const { entry, suppression, underWay } = own;
  return {
    kind: entry.status,
    masked: maskEmail(entry.email),
    never: suppression !== null && suppression.until === null,
    underWay,
    mayReturn: entry.status === "unsubscribed" && entry.bulk_action_id !== null,
    questions,
    answers: presentAnswers(entry.answers),
  };
}

/** Changes a token's entry. Idempotent. @param wording the version that people who rejoin agree to; null if none is stated */
export async function changeOwnEntry(
  deps: OwnEntryDeps,
  token: string,
  intent: Intent,
  wording: string | null = null,
): Promise<ChangeOutcome> {
  const verified = await verifyDataToken(token, deps.linkSecrets, deps.now());
  if (verified === null) return { kind: "bad-link" };
  if (verified.expired) return { kind: "expired" };
  return changeEntry(deps, verified.entryId, intent, wording);
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
  return id === null ? { kind: "bad-link" } : readEntry(deps, id);
}

/** Unsubscribes the entry of a token that can do nothing else. Idempotent. */
export async function unsubscribeByToken(deps: OwnEntryDeps, token: string): Promise<ChangeOutcome> {
  const id = await verifyEntryToken("unsubscribe:v1", token, [deps.hashKey]);
  if (id === null) return { kind: "bad-link" };
  return changeEntry(deps, id, "unsubscribe");
}

/** All data stored about an entry, for its data subject (GDPR, articles 15 and 20); null without an entry. */
export async function exportOwnEntry(deps: OwnEntryDeps, token: string): Promise<object | null> {
  const own = await readOwnEntry(deps, token);
  if (own.kind !== "found") return null;
  const {
    created_at,
    unsubscribed_at,
    consent_at,
    confirm_by,
    confirmed_at,
    reminded_at,
    invited_at,
    welcomed_at,
    ...entry
  } = shownColumns(own.entry);
  const emails = await listEntryEmails(deps.db, own.entry.id);
  return {
    ...entry,
    created_at: isoTime(created_at),
    unsubscribed_at: isoTime(unsubscribed_at),
    consent_at: isoTime(consent_at),
    confirm_by: isoTime(confirm_by),
    confirmed_at: isoTime(confirmed_at),
    reminded_at: isoTime(reminded_at),
    invited_at: isoTime(invited_at),
    welcomed_at: isoTime(welcomed_at),
    ...(await exportReferrals(deps.db, own.entry.id)),
    suppression: own.suppression && { ...own.suppression, until: isoTime(own.suppression.until) },
    emails: emails.map(({ kind, created_at, done_at }) => ({
      kind,
      queued_at: isoTime(created_at),
      sent_at: isoTime(done_at),
    })),
    letters: (await listEntryLetters(deps.db, own.entry.id)).map(({ subject, state, reason, done_at, isFollowUp }) => ({
      subject,
      state,
      reason,
      sent_at: state === "sent" ? isoTime(done_at) : null,
      is_follow_up: isFollowUp,
    })),
  };
}

/** Whether someone's link brought them, and never whose; their friends as numbers. Without personal links, what is stored. */
async function exportReferrals(db: Db, entryId: number): Promise<object> {
  const referral = await findOwnReferral(db, entryId);
  const { joined, counted } = await readFriends(db, entryId);
  const reached = await listReached(db, entryId);
  const isStored = referral !== null || joined > 0 || reached.length > 0;
  if (!switches.referrals && !isStored) return {};
  return {
    came_through_a_personal_link: referral !== null,
    counts_as_a_friend: referral?.counts ?? false,
    note_on_that: referral?.note ?? null,
    friends: { joined, counted },
    milestones: reached.map(({ friends, reached_at, rewarded_at }) => ({
      friends,
      reached_at: isoTime(reached_at),
      rewarded_at: isoTime(rewarded_at),
    })),
  };
}

async function changeEntry(
  deps: OwnEntryDeps,
  entryId: number,
  intent: Intent,
  wording: string | null = null,
): Promise<ChangeOutcome> {
  // Before the change, which deletes what is known about it.
  const underWay = intent !== "rejoin" && (await isEmailUnderWay(deps.db, entryId, deps.now()));
  const changed = await change(deps, entryId, intent, wording);
  logOwnChange(entryId, intent, changed);
  return { kind: "done", changed, underWay };
}

async function change(
  { db, hashKey, mustConfirm, entryHooks, now }: OwnEntryDeps,
  id: number,
  intent: Intent,
  consentVersion: string | null,
): Promise<boolean> {
  if (intent === "unsubscribe") return unsubscribeEntry(db, id, now());
  const entry = await findEntry(db, id);
  if (entry === null) return false;
  const hash = await keyedHash("address:v1", entry.email, hashKey);
  if (intent === "erase") return eraseOwnEntry(db, id, hash, now());
  if (intent === "never") return neverEmailEntry(db, id, hash, now());
  const at = now();
  // Milestones are looked for once an hour.
  const after = mustConfirm ? entryHooks.onConfirmed?.(db, { entryId: id, now: at, milestones: [] }) : [];
  return rejoinEntry(db, id, at, { consentVersion, addressHash: hash, after });
}

function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}

/** How long an attempt without a known outcome can still lead to an email (milliseconds). */
const DAY = 24 * 3_600_000;

/**
 * Whether an email or a letter to an entry was handed to the provider, or is being so, and its outcome is not known: it
 * cannot be called back.
 */
async function isEmailUnderWay(db: Db, entryId: number, now: number): Promise<boolean> {
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
