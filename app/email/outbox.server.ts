import { and, gte, inArray, isNull, ne, or } from "drizzle-orm";
import {
  emailRetries,
  importedPerHour,
  LEASE,
  unverifiedPerHour,
  unverifiedWithSmallNetworksPerHour,
} from "#app/email/limits.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import { type EmailKind, emailOutbox } from "#app/server/db/schema/email.server.ts";
import { type NamedSql, runNamed } from "#app/server/db/sql-batch.server.ts";
import { type Claim, isDue } from "#app/server/queue.server.ts";
import { type EpochMillis, HOUR, MINUTE } from "#app/server/time/units.ts";

/*
 * Single emails wait in `email_outbox`. Priorities: 0 sign-in, 1 to verified sign-ups and what people ask for, 2 to owners,
 * 3 to unverified sign-ups, 4 to imported people.
 */

/** Limits a claim to one recipient's emails, or one email. */
export type Only = { email: string } | { id: string };

export interface ClaimedEmail extends Claim {
  id: string;
  kind: EmailKind;
  /** The recipient's entry and address; null for emails to an owner. */
  entryId: number | null;
  email: string | null;
  /** The recipient's id; null for emails to entries. */
  ownerId: string | null;
  data: object | null;
  /** An owner's words in place of the original ones, as JSON. */
  wording: string | null;
  /** The row of the letter that it repeats, as JSON; absent or null for all other emails. */
  letter?: string | null;
  /** Whether an owner added the recipient, by hand or from a file. */
  wasAddedByOwner: boolean;
  /** The version of the consent wording that the recipient agreed to; null if none is stated. */
  consentVersion: string | null;
  /** When an owner last changed the recipient's address; absent or null if never, and for emails to an owner. */
  addressChangedAt?: EpochMillis | null;
  /** When it was queued: the same for all attempts, so links in it may contain it. */
  createdAt: EpochMillis;
  /** The first attempt that the provider may have accepted; this one at the earliest. */
  firstAttemptAt: EpochMillis;
  claimedAt: EpochMillis;
  reason: EmailReason | null;
  /** Whether all email was paused until then: this one's success ends that. */
  wasPaused: boolean;
  /** The end of a pause of all email that it was claimed in spite of, or null. */
  pausedUntil: EpochMillis | null;
  /** Whether the provider has just accepted other emails. */
  acceptsOthers: boolean;
}

export interface ClaimOptions {
  now: EpochMillis;
  limit: number;
  /** The send limit: emails the whole site may send to entries per hour. */
  perHour: number;
  /** Ids of the owners. Emails to former ones stay in the outbox, but for those that tell them so. */
  owners: string[];
  formerOwners?: string[];
  despitePause?: boolean;
  /** Whether one email of each small network may exceed the half of the send limit that unverified sign-ups get. */
  servesSmallNetworks?: boolean;
}

/** Counted at once, since D1 counts each row again that a statement stores in between. */
const COUNTS = `count(*) AS emails, coalesce(sum(priority = 3), 0) AS unverified, coalesce(sum(priority = 4), 0) AS imported
    FROM email_outbox`;

/**
 * How many more emails each kind of recipient may be sent within the hour. What was sent counts, what is being sent, and
 * what the address refused: not counting that would let a flood of bad addresses exceed the limit. A leased email has no
 * network, and its lease ends at `next_attempt_at`, so that an index finds it; up to twice the lease, because another
 * sender may have claimed some after `:now`. Letters count as well.
 */
export const QUOTA = `used AS (
    SELECT ${COUNTS} WHERE done_at > :hour_ago AND priority IN (1, 3, 4)
    UNION ALL
    SELECT ${COUNTS} WHERE dead_at > :hour_ago AND priority IN (1, 3, 4) AND reason = 'address-refused'
    UNION ALL
    SELECT ${COUNTS} WHERE done_at IS NULL AND dead_at IS NULL AND priority IN (1, 3, 4) AND network IS NULL
      AND next_attempt_at > :now AND next_attempt_at <= :leases_end AND leased_until > :now
  ),
  quota AS MATERIALIZED (
    SELECT :per_hour - sum(emails) - (SELECT coalesce(sum(sent), 0) FROM letter_batches WHERE done_at > :hour_ago) AS entries,
      iif(paused, 0, :unverified_per_hour - sum(unverified)) AS unverified,
      iif(paused, 0, :with_small_networks_per_hour - sum(unverified)) AS with_small_networks,
      :imported_per_hour - sum(imported) AS imported, paused
    FROM used, (SELECT EXISTS (SELECT 1 FROM email_pauses WHERE scope = 'unverified' AND until IS NULL) AS paused)
  )`;

export function quotaValues({ now, perHour }: { now: EpochMillis; perHour: number }) {
  return {
    now,
    hour_ago: now - HOUR,
    leases_end: now + 2 * LEASE,
    per_hour: perHour,
    unverified_per_hour: unverifiedPerHour(perHour),
    with_small_networks_per_hour: unverifiedWithSmallNetworksPerHour(perHour),
    imported_per_hour: importedPerHour(perHour),
  };
}

/**
 * Unsubscribed people get no welcome and no letter; people who are back on the list are not asked to rejoin. Unconfirmed people get
 * nothing but the emails that ask them to confirm, which people who have done so do not get.
 */
export const IS_WANTED = `EXISTS (SELECT 1 FROM waitlist_emails AS entry WHERE entry.id = email.entry_id
      AND entry.status = CASE email.kind WHEN 'rejoin' THEN 'unsubscribed' WHEN 'my-data-link' THEN entry.status ELSE 'active' END
      AND (email.kind NOT IN ('welcome', 'letter', 'milestone', 'confirm', 'confirm-reminder')
        OR (email.kind NOT IN ('welcome', 'letter', 'milestone')) = (entry.confirm_by IS NOT NULL AND entry.confirmed_at IS NULL)))`;

export const IS_DUE = "done_at IS NULL AND dead_at IS NULL AND next_attempt_at <= :now";

export const IS_ONLY = "(id = :id OR entry_id = (SELECT id FROM waitlist_emails WHERE waitlist_emails.email = :email))";

/**
 * None during a pause of all email. After one, a run of the cron job claims a single email, whose success ends the
 * pause; emails outside a run wait for that. A rate limit needs no such probe.
 */
const LIMIT = `(SELECT CASE WHEN :despite_pause THEN :limit WHEN max(until) > :now THEN 0
      WHEN sum(reason <> 'rate-limit') > 0 THEN :probes ELSE :limit END FROM email_pauses WHERE scope = 'all')`;

/**
 * The answers that the greetings of an owner's words use are stored at the first attempt, so that each one under the same
 * idempotency key sends the same bytes. They go once the email is sent, and with the entry.
 */
const WITH_ANSWERS = `iif(kind = 'welcome' AND data ->> '$.answers' IS NULL, coalesce((
      SELECT json_set(coalesce(email_outbox.data, '{}'), '$.answers', json((
        SELECT json_group_object(used.key, used.value) FROM json_each(entry.answers) AS used
        WHERE instr(replace(words.subject || words.heading || words.body, ' ', ''), '{{' || used.key || '|') > 0)))
      FROM email_wordings AS words JOIN waitlist_emails AS entry ON entry.id = email_outbox.entry_id
      WHERE words.kind = 'welcome' AND instr(words.subject || words.heading || words.body, '{{') > 0), data), data)`;

const LEASED = `SET attempts = attempts + 1, next_attempt_at = :leased_until, leased_until = :leased_until, network = NULL,
    first_attempt_at = coalesce(first_attempt_at, :now), data = ${WITH_ANSWERS}`;

const RETURNED = `RETURNING id, kind, entry_id AS entryId, owner_id AS ownerId, data, created_at AS createdAt, attempts,
    leased_until, first_attempt_at AS firstAttemptAt, reason,
    (SELECT json_object('subject', subject, 'heading', heading, 'body', body) FROM email_wordings
      WHERE email_wordings.kind = email_outbox.kind) AS wording,
    (SELECT json_object('id', id, 'key', key, 'subject', subject, 'preview_line', preview_line, 'body', body,
      'reply_to', reply_to, 'has_web_link', has_web_link, 'step_id', step_id) FROM letters
      WHERE email_outbox.kind = 'letter' AND letters.id = email_outbox.data ->> 'letter') AS letter,
    EXISTS (SELECT 1 FROM email_pauses WHERE scope = 'all') AS wasPaused,
    (SELECT max(until) FROM email_pauses WHERE scope = 'all' AND until > :now) AS pausedUntil,
    EXISTS (SELECT 1 FROM email_outbox AS other WHERE other.done_at > :accepting_since) AS acceptsOthers,
    (SELECT json_object('email', email, 'consentVersion', consent_version, 'addressChangedAt', address_changed_at,
      'wasAddedByOwner', import_id IS NOT NULL OR metadata ->> 'signup_platform' = 'owner')
      FROM waitlist_emails WHERE id = entry_id) AS recipient`;

/**
 * The fair share of each network, its oldest emails by rank: as many as fill a claim, at least 4.
 *
 * `networks` steps from network to network in the index on due emails, since reading a flood would use up the rows of a
 * day, and looks at 64, from a random one on. SQLite does such a skip-scan by itself only after ANALYZE
 * (https://sqlite.org/optoverview.html#the_skip_scan_optimization). UNION drops repeated rows, so that the recursion ends
 * where it began. Emails that were attempted before have no network, and are together one.
 */
const fairShares = (priority: 1 | 3, isAllowed: string) => `(
    WITH RECURSIVE networks(network) AS (
      SELECT NULL FROM quota WHERE ${isAllowed}
      UNION
      SELECT coalesce(
        (SELECT min(network) FROM email_outbox AS email WHERE done_at IS NULL AND dead_at IS NULL
          AND email.priority = ${priority} AND email.network > coalesce(networks.network, :random_network)),
        (SELECT min(network) FROM email_outbox AS email WHERE done_at IS NULL AND dead_at IS NULL
          AND email.priority = ${priority} AND email.network > -1))
      FROM networks LIMIT 64
    )
    SELECT due.id, due.priority, due.next_attempt_at, due.network IS NOT NULL AS has_network,
      row_number() OVER (PARTITION BY due.network ORDER BY due.next_attempt_at) AS rank,
      count(*) OVER (PARTITION BY due.network) AS others
    FROM networks CROSS JOIN email_outbox AS due ON due.rowid IN (
      SELECT rowid FROM email_outbox AS email WHERE ${IS_DUE} AND email.priority = ${priority}
        AND email.network IS networks.network AND ${IS_WANTED}
      ORDER BY next_attempt_at LIMIT max(4, CAST(4 * :limit / max(4, (SELECT count(network) FROM networks)) AS INTEGER)))
  )`;

/**
 * Claims due emails by priority, then by rank within their network, then age: a flood from one network does not delay the
 * others' emails. One statement, so that senders at the same time never claim the same row, nor exceed the send limit together.
 * The first email of a small network, with at most 3 due, may exceed the unverified share of the send limit, oldest first.
 */
export const CLAIM_DUE = `WITH ${QUOTA},
  unverified AS (
    SELECT *, row_number() OVER (ORDER BY rank, next_attempt_at) AS position,
      row_number() OVER (PARTITION BY is_small ORDER BY next_attempt_at) AS position_of_small
    FROM (SELECT *, rank = 1 AND has_network AND others <= 3 AS is_small
      FROM ${fairShares(3, "entries > 0 AND iif(:serves_small_networks, with_small_networks, unverified) > 0")})
  ),
  imported AS (
    SELECT id, priority, next_attempt_at, 1 AS rank FROM email_outbox AS email
    WHERE ${IS_DUE} AND priority = 4 AND network IS NULL AND ${IS_WANTED}
    ORDER BY next_attempt_at LIMIT max(0, min(:limit, (SELECT imported FROM quota)))
  ),
  to_entries AS (
    SELECT id, priority, next_attempt_at, rank FROM ${fairShares(1, "entries > 0")}
    UNION ALL
    SELECT * FROM (
      SELECT id, priority, next_attempt_at, rank FROM unverified, quota
      WHERE position <= quota.unverified
        OR is_small AND :serves_small_networks AND position_of_small <= quota.with_small_networks
      ORDER BY position LIMIT max(0, (SELECT with_small_networks FROM quota)))
    UNION ALL
    SELECT * FROM imported
    ORDER BY priority, rank, next_attempt_at LIMIT max(0, min(:limit, (SELECT entries FROM quota)))
  ),
  to_owners AS (
    SELECT id, priority, next_attempt_at, 1 AS rank FROM email_outbox AS email
    WHERE ${IS_DUE} AND priority IN (0, 2) AND network IS NULL AND (owner_id IN (SELECT value FROM json_each(:owners))
      OR kind = 'settings-changed' AND owner_id IN (SELECT value FROM json_each(:former_owners)))
    ORDER BY priority, next_attempt_at LIMIT :limit
  )
UPDATE email_outbox ${LEASED}
WHERE id IN (
  SELECT id FROM (SELECT * FROM to_entries UNION ALL SELECT * FROM to_owners)
  ORDER BY priority, rank, next_attempt_at LIMIT ${LIMIT})
${RETURNED}`;

/**
 * Claims one email to one recipient, under the same limits, whatever its rank: their page asks for it. The unary plus keeps
 * SQLite from the index on due emails, with which it would read the whole queue.
 */
export const CLAIM_ONE = `WITH ${QUOTA}
UPDATE email_outbox ${LEASED}
WHERE id = (
  SELECT id FROM email_outbox AS email, quota
  WHERE ${IS_ONLY} AND ${IS_DUE}
    AND (owner_id IN (SELECT value FROM json_each(:owners))
      OR min(entries, CASE priority WHEN 3 THEN unverified WHEN 4 THEN imported ELSE entries END) > 0 AND ${IS_WANTED})
  ORDER BY +priority, next_attempt_at LIMIT min(1, ${LIMIT}))
${RETURNED}`;

export function onlyValues(only: Only | undefined) {
  return { id: null, email: null, ...only };
}

/** A refusal concerns one email only if the provider has accepted another within this time. */
const ACCEPTING = 15 * MINUTE;

/** Networks are numbered below this: see `network-hash.server.ts`. */
const NETWORKS = 2 ** 32;

export async function claimDue(db: Db, options: ClaimOptions & { only?: Only | undefined }): Promise<ClaimedEmail[]> {
  const { now, owners, formerOwners = [], only, servesSmallNetworks = false, despitePause = false } = options;
  const statement: NamedSql = {
    text: only === undefined ? CLAIM_DUE : CLAIM_ONE,
    values: {
      ...quotaValues(options),
      ...onlyValues(only),
      limit: options.limit,
      probes: only === undefined,
      owners: JSON.stringify(owners),
      former_owners: JSON.stringify(formerOwners),
      leased_until: now + LEASE,
      accepting_since: now - ACCEPTING,
      random_network: Math.floor(Math.random() * NETWORKS),
      serves_small_networks: servesSmallNetworks,
      despite_pause: despitePause,
    },
  };
  type Row = Record<keyof ClaimedEmail, never> & { data: string | null; recipient: string | null };
  return (await runNamed<Row>(db, statement)).map(({ recipient, data, ...email }): ClaimedEmail => {
    const known = JSON.parse(recipient ?? '{"email":null,"consentVersion":null,"wasAddedByOwner":0}');
    return {
      ...email,
      ...known,
      data: JSON.parse(data ?? "null"),
      claimedAt: now,
      wasPaused: Boolean(email.wasPaused),
      acceptsOthers: Boolean(email.acceptsOthers),
      wasAddedByOwner: known.wasAddedByOwner === 1,
    };
  });
}

/**
 * Whether an email to one recipient is due, and not known to wait for a limit, of which runs of the cron job take
 * care. Reads a few rows, whereas {@link claimDue} counts all emails of the last hour.
 */
export async function isAnyDue(db: Db, now: EpochMillis, only: Only): Promise<boolean> {
  const found = await runNamed(db, {
    text: `SELECT 1 FROM email_outbox AS email
      WHERE ${IS_ONLY} AND ${IS_DUE}
        AND coalesce(reason, '') NOT IN ('send-limit', 'unverified-limit', 'sign-up-bounces')
      LIMIT 1`,
    values: { now, ...onlyValues(only) },
  });
  return found.length > 0;
}

/** Gives up emails whose last attempt never finished, as when the sender was killed. @returns how many */
export async function giveUpExhausted(db: Db, now: EpochMillis): Promise<number> {
  const dead = await db
    .update(emailOutbox)
    .set({ dead_at: now, reason: "outcome-unknown" satisfies EmailReason })
    // Emails with a network were never attempted: the index leaves them out.
    .where(
      and(
        inArray(emailOutbox.priority, [0, 1, 2, 3, 4]),
        isNull(emailOutbox.network),
        isDue(emailOutbox, now),
        gte(emailOutbox.attempts, emailRetries.maxAttempts),
      ),
    )
    .returning({ id: emailOutbox.id });
  return dead.length;
}

export async function recordReason(db: Db, reason: EmailReason, now: EpochMillis): Promise<void> {
  const { reason: recorded } = emailOutbox;
  await db
    .update(emailOutbox)
    .set({ reason })
    .where(and(isDue(emailOutbox, now), or(isNull(recorded), ne(recorded, reason))));
}
