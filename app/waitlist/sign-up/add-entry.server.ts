import type { Addition } from "#app/server/context.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { prepareBatch } from "#app/server/db/prepared-batch.server.ts";
import { emailPriority, unverifiedPriority } from "#app/server/db/schema/email.server.ts";
import { CONFIRM_PERIOD } from "#app/waitlist/confirmation/confirmation.ts";
import type { Entry } from "#app/waitlist/entries/entries.server.ts";
import { addEntryStatements, CONFIRM_INTERVAL } from "#app/waitlist/sign-up/add-entry-statements.server.ts";
import { DAILY_LIMIT_PERIOD, dailyLimitOf } from "#app/waitlist/sign-up/daily-limit.server.ts";
import { optionalColumnNames, type SignUpFields } from "#app/waitlist/sign-up/entry-fields.server.ts";
import type { TrustedSignUp } from "#app/waitlist/sign-up/trusted-sign-up.server.ts";

export interface NewEntry {
  /** As {@link normaliseEmail} returns it. */
  email: string;
  source: string;
  /** Omitted columns are null. */
  columns: Partial<SignUpFields["columns"]>;
  /** The wording that was agreed to; null where none is stated. */
  consentVersion?: string | null;
  /** As `keyedHash` returns it. Without it, a suppression does not keep letters from the entry. */
  addressHash?: string | null;
  /** As `hashMailbox` returns it. Without it, no daily limit applies. */
  mailboxHash?: string | null;
  /** As `hashNetwork` returns it: the email takes turns with those of other networks. */
  network?: number | null;
  /** Whether Turnstile verified the sign-up; null where it was not asked to. */
  verified?: boolean | null;
  mustConfirm?: boolean;
  /** A trusted sign-up has its own batch in its place. */
  addition?: Addition | null;
  disposable?: boolean;
  /** How another part of the site took it; null if it comes from a form of its pages. */
  trusted?: TrustedSignUp | null;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * `emailId`: its email, to be sent now, which a former subscriber gets once per departure. `limited`: nothing was
 * written, because the mailbox has reached its daily limit of emails; `retryAfter` in seconds.
 */
export type AddedEntry =
  | { kind: "new"; id: number; emailId: string }
  | { kind: "listed" }
  | { kind: "unsubscribed"; id: number; emailId: string }
  | { kind: "limited"; retryAfter: number };

/**
 * Adds an address and queues its welcome or confirmation email in one D1 batch: one round trip, both rows or neither.
 * Atomic: of concurrent requests for one address exactly one inserts, and those for one mailbox stay within its daily
 * limit. An unsubscribed address stays unsubscribed and is sent the rejoin email, once per departure. An unconfirmed one
 * is sent the confirmation email again, at most once a day. A new entry is unconfirmed, too, if its person had left or
 * erased themselves before an earlier one was erased. An email that was not sent because its address was suppressed
 * is queued again once the suppression may have ended.
 *
 * @throws when D1 fails or takes too long
 */
export async function addEntry(db: Db, added: NewEntry): Promise<AddedEntry> {
  const {
    email,
    source,
    columns,
    consentVersion = null,
    addressHash = null,
    mailboxHash = null,
    network = null,
    verified = null,
    mustConfirm = false,
    disposable = false,
    addition = null,
    trusted = null,
    now,
  } = added;
  const joinedAt = trusted?.joinedAt ?? now;
  const values = {
    ...Object.fromEntries(optionalColumnNames.map((name) => [name, columns[name] ?? null])),
    email,
    source,
    disposable,
    consentVersion,
    now,
    metadata: { signup_platform: "web", signup_date: new Date(joinedAt).toISOString() },
    welcomeId: crypto.randomUUID(),
    rejoinId: crypto.randomUUID(),
    addressHash,
    mailboxHash,
    network,
    dayAgo: now - DAILY_LIMIT_PERIOD,
    limitOffset: dailyLimitOf(email) - 1,
    verified: verified === true,
    priority: verified === true || trusted !== null ? emailPriority.welcome : unverifiedPriority,
    confirmBy: mustConfirm ? now + CONFIRM_PERIOD : null,
    confirmId: crypto.randomUUID(),
    confirmBefore: now - CONFIRM_INTERVAL,
    requeuedId: crypto.randomUUID(),
    ...addition?.values,
    ...(trusted && {
      ...trusted.values,
      joinedAt,
      answers: Object.keys(trusted.answers).length === 0 ? null : JSON.stringify(trusted.answers),
      emailData: JSON.stringify(trusted.emailData),
    }),
  };
  const { addBatch } = trusted ?? addition ?? { addBatch: addEntryBatch };
  const results = await addBatch(db, values);
  const [deciding, inserted] = results;
  const found = results.at(-1);
  const entry = inserted?.[0] as Pick<Entry, "id" | "confirm_by"> | undefined;
  if (entry !== undefined) {
    return { kind: "new", id: entry.id, emailId: entry.confirm_by === null ? values.welcomeId : values.confirmId };
  }
  const existing = found?.[0] as Pick<Entry, "id" | "status"> | undefined;
  const limitedBy = (deciding?.[0] as { queued_at: number } | undefined)?.queued_at;
  if (limitedBy !== undefined && existing?.status !== "active") {
    return { kind: "limited", retryAfter: Math.ceil((limitedBy + DAILY_LIMIT_PERIOD - now) / 1000) };
  }
  // An invalid response from D1: report a failure rather than a sign-up.
  if (existing === undefined && trusted === null) throw new Error("D1 neither inserted the entry nor found it");
  // A trusted one may have been erased since.
  if (existing?.status !== "unsubscribed") return { kind: "listed" };
  return { kind: "unsubscribed", id: existing.id, emailId: values.rejoinId };
}

const addEntryBatch = prepareBatch((db) => addEntryStatements(db, {}));
