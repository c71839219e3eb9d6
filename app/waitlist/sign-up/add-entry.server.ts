import type { Db } from "#app/server/db/client.server.ts";
import { emailPriority, unverifiedPriority } from "#app/server/db/schema/email.server.ts";
import type { Answers } from "#app/server/db/schema/entries.server.ts";
import { type NamedSql, runBatchByName } from "#app/server/db/sql-batch.server.ts";
import { addressReasons } from "#app/server/db/suppressions.server.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";
import { CONFIRM_PERIOD } from "#app/waitlist/confirmation/confirmation.ts";
import type { Entry } from "#app/waitlist/entries/entries.server.ts";
import { optionalColumnNames } from "#app/waitlist/entries/entry-columns.server.ts";
import { DAILY_LIMIT_PERIOD, DECIDING_EMAIL, dailyLimitValues } from "#app/waitlist/sign-up/daily-limit.server.ts";
import type { SignUpFields } from "#app/waitlist/sign-up/entry-fields.server.ts";

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
  /** As `hashNetwork` returns it: each network gets its fair share of what is sent. */
  network?: number | null;
  /** Whether Turnstile verified the sign-up; null where it was not asked to. */
  verified?: boolean | null;
  mustConfirm?: boolean;
  /**
   * Runs right after the statement that adds the entry. It must change the same number of rows, because the welcome email
   * depends on `changes()`.
   */
  afterEntry?: NamedSql | null;
  disposable?: boolean;
  /** How another part of the site took it; null if it comes from a form of its pages. */
  trusted?: TrustedSignUp | null;
  now: EpochMillis;
}

/** A sign-up that was taken earlier, and that another part of the site answers for. It is added once. */
export interface TrustedSignUp {
  /** When the person joined. What they have done since counts. Emails and limits go by the present time. */
  joinedAt: EpochMillis;
  answers: Answers;
  emailData: object;
  /** The first statements of the batch. @param limit the values of {@link DECIDING_EMAIL} */
  before: (email: string, limit: NamedSql["values"]) => Record<string, NamedSql>;
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

/** Minimum time between two emails that ask to confirm an address. */
const CONFIRM_INTERVAL: Millis = 24 * 3_600_000;

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
  const { email, mailboxHash = null, trusted = null, afterEntry = null, now } = added;
  const joinedAt = trusted?.joinedAt ?? now;
  const confirmBy = now + CONFIRM_PERIOD;
  const [welcomeId, rejoinId, confirmId] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  const limit = dailyLimitValues(email, mailboxHash, now);
  const person = { email, address_hash: added.addressHash ?? null, trusted_joined_at: trusted && joinedAt };
  const row = {
    ...Object.fromEntries(optionalColumnNames.map((name) => [name, added.columns[name] ?? null])),
    source: added.source,
    metadata: JSON.stringify({ signup_platform: "web", signup_date: new Date(joinedAt).toISOString() }),
    answers: trusted === null || Object.keys(trusted.answers).length === 0 ? null : JSON.stringify(trusted.answers),
    joined_at: joinedAt,
    consent_version: added.consentVersion ?? null,
    confirm_by: added.mustConfirm ? confirmBy : null,
    confirm_by_if_left: confirmBy,
    verified: added.verified === true,
    disposable: added.disposable ?? false,
  };
  const queued = {
    email,
    now,
    priority: added.verified === true || trusted !== null ? emailPriority.welcome : unverifiedPriority,
    network: added.network ?? null,
    data: trusted && JSON.stringify(trusted.emailData),
  };
  const askedBefore = now - CONFIRM_INTERVAL;
  const rows = await runBatchByName<{
    deciding: { queued_at: EpochMillis }[];
    entry: Pick<Entry, "id" | "confirm_by">[];
    existing: Pick<Entry, "id" | "status">[];
  }>(db, {
    ...trusted?.before(email, limit),
    deciding: { text: DECIDING_EMAIL, values: limit },
    entry: { text: INSERT_ENTRY, values: { ...person, ...row, ...limit } },
    ...(afterEntry && { afterEntry }),
    welcome: { text: QUEUE_WELCOME, values: { ...queued, id: welcomeId } },
    rejoin: { text: QUEUE_REJOIN, values: { ...person, ...queued, ...limit, id: rejoinId } },
    confirm: {
      text: QUEUE_CONFIRM,
      values: {
        ...queued,
        ...limit,
        id: confirmId,
        reminded_before: askedBefore,
        asked_before: Math.min(askedBefore, joinedAt),
      },
    },
    requeued: { text: REQUEUE_WELCOME, values: { ...queued, ...limit, id: crypto.randomUUID() } },
    existing: { text: "SELECT id, status FROM waitlist_emails WHERE email = :email", values: { email } },
  });
  const [entry] = rows.entry;
  if (entry !== undefined) {
    return { kind: "new", id: entry.id, emailId: entry.confirm_by === null ? welcomeId : confirmId };
  }
  const [existing] = rows.existing;
  const [deciding] = rows.deciding;
  if (deciding !== undefined && existing?.status !== "active") {
    return { kind: "limited", retryAfter: Math.ceil((deciding.queued_at + DAILY_LIMIT_PERIOD - now) / 1000) };
  }
  // An invalid response from D1: report a failure rather than a sign-up.
  if (existing === undefined && trusted === null) throw new Error("D1 neither inserted the entry nor found it");
  // A trusted one may have been erased since.
  if (existing?.status !== "unsubscribed") return { kind: "listed" };
  return { kind: "unsubscribed", id: existing.id, emailId: rejoinId };
}

const columnList = optionalColumnNames.join(", ");
const valueList = optionalColumnNames.map((name) => `:${name}`).join(", ");

/**
 * Nothing if the address has an entry: a conflict alone would still raise SQLite's counter of ids, which is a row written.
 * Nothing either if the person of a trusted sign-up has erased themselves since. Anyone can enter an address: people who
 * have left are asked first, also where addresses are not confirmed.
 */
const INSERT_ENTRY = `INSERT INTO waitlist_emails (email, source, metadata, ${columnList}, answers, created_at,
    consent_version, consent_at, confirm_by, address_hash, mailbox_hash, verified, disposable)
  SELECT :email, :source, :metadata, ${valueList}, :answers, :joined_at, :consent_version, :joined_at,
    coalesce(:confirm_by, iif(
      EXISTS (SELECT 1 FROM erased_addresses WHERE address_hash = :address_hash), :confirm_by_if_left, NULL)),
    :address_hash, :mailbox_hash, :verified, :disposable
  WHERE NOT EXISTS (SELECT 1 FROM waitlist_emails WHERE email = :email)
    AND NOT EXISTS (
      SELECT 1 FROM erased_addresses WHERE address_hash = :address_hash AND created_at >= :trusted_joined_at)
    AND NOT EXISTS (${DECIDING_EMAIL})
  ON CONFLICT DO NOTHING
  RETURNING id, confirm_by`;

/** changes() counts the previous statement's rows: no new entry, no email. */
const QUEUE_WELCOME = `INSERT INTO email_outbox (id, entry_id, kind, dedupe_key, priority, data, next_attempt_at, created_at, network)
  SELECT :id, id, 'welcome', 'welcome:' || id, :priority, :data, :now, :now, :network
  FROM waitlist_emails
  WHERE email = :email AND changes() > 0 AND confirm_by IS NULL`;

/** What is set of a row that is queued again, as if it were new. */
const AS_NEW = `attempts = 0, first_attempt_at = NULL, next_attempt_at = :now, leased_until = 0, done_at = NULL, dead_at = NULL,
    soft_bounced_at = NULL, reason = NULL, created_at = :now`;

/** The email is dead because its address was suppressed, which may have ended by now. */
const WAS_SUPPRESSED = `(email_outbox.dead_at IS NOT NULL AND email_outbox.next_attempt_at <= :now
      AND email_outbox.reason IN (${addressReasons.map((reason) => `'${reason}'`).join(", ")}))`;

/** Once per departure. The person of a trusted sign-up may have left after it. */
const QUEUE_REJOIN = `INSERT INTO email_outbox (id, entry_id, kind, dedupe_key, priority, data, next_attempt_at, created_at, network)
  SELECT :id, id, 'rejoin', 'rejoin:' || id, :priority, :data, :now, :now, :network
  FROM waitlist_emails
  WHERE email = :email AND status = 'unsubscribed'
    AND (:trusted_joined_at IS NULL OR unsubscribed_at < :trusted_joined_at)
    AND NOT EXISTS (${DECIDING_EMAIL})
  ON CONFLICT (dedupe_key) DO UPDATE SET id = excluded.id, priority = excluded.priority, data = excluded.data,
    network = excluded.network, ${AS_NEW}
  WHERE ${WAS_SUPPRESSED} OR coalesce(email_outbox.done_at, email_outbox.dead_at)
    < (SELECT unsubscribed_at FROM waitlist_emails WHERE waitlist_emails.id = email_outbox.entry_id)`;

/**
 * For a new entry and for one that is still unconfirmed, unless it was asked or reminded within a day, or since the person of
 * a trusted sign-up joined. A new entry was within the limit, and its first email counts only from now on.
 */
const QUEUE_CONFIRM = `INSERT INTO email_outbox (id, entry_id, kind, dedupe_key, priority, data, next_attempt_at, created_at, network)
  SELECT :id, id, 'confirm', 'confirm:' || id, :priority, :data, :now, :now, :network
  FROM waitlist_emails
  WHERE email = :email AND status = 'active' AND confirm_by IS NOT NULL AND confirmed_at IS NULL
    AND coalesce(reminded_at, 0) < :reminded_before
    AND NOT EXISTS (${DECIDING_EMAIL})
  ON CONFLICT (dedupe_key) DO UPDATE SET id = excluded.id, data = excluded.data, network = excluded.network, ${AS_NEW}
  WHERE coalesce(email_outbox.done_at, email_outbox.dead_at) < :asked_before`;

const REQUEUE_WELCOME = `UPDATE email_outbox SET id = :id, network = :network, ${AS_NEW}
  WHERE dedupe_key = (SELECT 'welcome:' || id FROM waitlist_emails WHERE email = :email AND status = 'active')
    AND ${WAS_SUPPRESSED}
    AND NOT EXISTS (${DECIDING_EMAIL})`;
