import { DatabaseSync } from "node:sqlite";
import { milestones, type Question, questions } from "#app/site.ts";
import { withFollowUps } from "#app/waitlist/sign-up/consent-wording.ts";

/**
 * Adds sample entries of the last year to a local database, their emails, referrals, visits, and blocked attempts. Addresses end in
 * `example.com` (RFC 2606) and lead nowhere. Sign-ups grow over time; a few entries are unsubscribed or erased, and a few
 * recent ones unconfirmed. Entries that are already there stay as they are.
 *
 * @param file the local D1's SQLite file, migrated
 * @returns numbers of entries
 */
export function seed(file: string, entries: number, now = Date.now()): { before: number; added: number } {
  using database = new DatabaseSync(file, { timeout: 10_000 });
  const run = (sql: string, params: Record<string, number> = {}) => Number(database.prepare(sql).run(params).changes);
  database.exec("PRAGMA foreign_keys = ON; BEGIN IMMEDIATE");
  const { before, last } = database.prepare(BEFORE).get() as { before: number; last: number };
  const added = run(ENTRIES, { entries: entries + erasedCount(entries), now });
  run(EMAILS, { last });
  run(UNSUBSCRIBED, { last });
  run(REFERRALS, { last });
  run(REFERRERS, { last });
  run(REACHED, { last, now });
  run(ERASED, { erased: erasedCount(added), now });
  run(BLOCKED, { added, now });
  run(VISITS, { last });
  database.exec("COMMIT");
  return { before, added };
}

/** Entries get ascending ids, so those with a higher one are new. */
const BEFORE = "SELECT count(*) AS before, coalesce(max(id), 0) AS last FROM waitlist_emails";

/** How many entries are erased: one number in 97 is left out. */
function erasedCount(entries: number): number {
  return Math.floor((entries + 85) / 96);
}

/** About half of the people answer a question. Their answers are not spread evenly. */
function answerSql({ key, answers = { leeds: "Leeds", york: "York", hull: "Hull" } }: Question, index: number): string {
  const choices = Object.keys(answers);
  const answer = choices.map((choice, at) => `WHEN ${at * 2} THEN '${choice}' WHEN ${at * at} THEN '${choice}'`);
  return `'${key}', CASE (n + ${index}) % ${9 + 2 * choices.length} ${answer.join(" ")} END`;
}

/** A merge patch leaves out the questions without an answer. */
const ANSWERS =
  questions.length === 0
    ? "NULL"
    : `nullif(json_patch('{}', json_object(${questions.map(answerSql).join(", ")})), '{}')`;

/** Remainders of the entry number `n` replace randomness, so that every run inserts the same data. */
const ENTRIES = `
  WITH RECURSIVE numbers (n) AS (SELECT 1 WHERE $entries > 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < $entries),
    spread (n, part) AS (SELECT n, sqrt(1.0 * n / $entries) FROM numbers),
    made (n, created_at) AS (
      SELECT n, min($now - 60000, CAST($now - 365 * 86400000.0 * (
        1.0023 - part - 0.0018 * sin(327 * part) - 0.004 * sin(57 * part)
      ) AS INTEGER)) FROM spread
    )
  INSERT INTO waitlist_emails (email, source, metadata, utm_source, utm_campaign, referrer_host, answers, created_at,
    consent_version, consent_at, confirm_by, confirmed_at)
  SELECT
    substr('basket candle willow felted linens copper pewter thread', 1 + (n * 31 % 8) * 7, 6) || n || '@example.com',
    CASE WHEN n % 10 < 7 THEN 'landing_page' WHEN n % 50 = 8 THEN 'fair_tablet' ELSE 'ways_to_help_section' END,
    json_object('signup_platform', 'web', 'signup_date', strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch')),
    CASE n % 10 WHEN 0 THEN 'newsletter' WHEN 1 THEN 'poster' WHEN 2 THEN 'newsletter' WHEN 3 THEN 'newsletter'
      WHEN 4 THEN 'fair' WHEN 5 THEN 'facebook' END,
    -- A long list has 400 campaigns: the rarer ones take turns, and most people came by the few well-known ones.
    CASE n % 10 WHEN 0 THEN 'autumn_fair' WHEN 1 THEN 'autumn_fair' WHEN 2 THEN 'makers_post' WHEN 3 THEN 'christmas_market'
      WHEN 4 THEN CASE WHEN n < 2000 THEN 'autumn_fair' ELSE 'fair_' || (1 + n / 10 % 396) END WHEN 5 THEN 'fb_hosts' END,
    CASE WHEN n % 10 = 7 THEN 'www.facebook.com' WHEN n % 40 = 8 THEN 'www.google.com'
      WHEN n % 400 = 9 THEN 'blog' || (n / 400 % 60) || '.example' END,
    ${ANSWERS},
    created_at, '${withFollowUps.version}', created_at,
    CASE WHEN created_at > $now - 20 * 86400000 THEN created_at + 30 * 86400000 END,
    CASE WHEN created_at > $now - 20 * 86400000 AND n % 4 <> 1 THEN created_at + 600000 END
  FROM made WHERE n % 97 <> 11
  ON CONFLICT DO NOTHING`;

const EMAILS = `
  INSERT INTO email_outbox
    (id, entry_id, kind, dedupe_key, priority, attempts, next_attempt_at, done_at, dead_at, reason, created_at)
  SELECT
    printf('00000000-0000-4000-8000-%012x', id), id,
    CASE WHEN confirm_by > confirmed_at OR confirm_by IS NULL THEN 'welcome' ELSE 'confirm' END,
    CASE WHEN confirm_by > confirmed_at OR confirm_by IS NULL THEN 'welcome:' ELSE 'confirm:' END || id, 1,
    CASE WHEN id % 200 = 3 THEN 10 WHEN id % 90 = 7 THEN 2 ELSE 1 END,
    created_at + 300000,
    CASE WHEN id % 200 <> 3 AND id % 90 <> 7 THEN created_at + 4000 END,
    CASE WHEN id % 200 = 3 THEN created_at + 130000000 END,
    CASE WHEN id % 600 = 3 THEN 'address-refused'
      WHEN id % 600 = 203 THEN 'outcome-unknown'
      WHEN id % 200 = 3 THEN 'delivery-failed'
      WHEN id % 90 = 7 THEN 'timed-out' END,
    created_at
  FROM waitlist_emails WHERE id > $last`;

const UNSUBSCRIBED = `
  UPDATE waitlist_emails
  SET status = 'unsubscribed', unsubscribe_reason = 'own-choice', unsubscribed_at = created_at + 86400000
  WHERE id > $last AND id % 37 = 5`;

/** One entry in twelve came through the personal link of one in sixty. */
const REFERRALS = `
  INSERT INTO referrals (entry_id, referrer_id, ruling, decided_at, domain_hash)
  SELECT id, referrer, CASE WHEN confirm_by > 0 AND confirmed_at IS NULL THEN NULL WHEN id % 420 = 63 THEN 'one-domain'
    WHEN id % 168 = 75 THEN 'throwaway' WHEN id % 252 = 99 THEN 'known-mailbox' ELSE 'counted' END, created_at + 900000, 'of example.com'
  FROM (SELECT *, (SELECT max(id) FROM waitlist_emails AS earlier WHERE earlier.id <= entry.id - entry.id % 60) AS referrer
    FROM waitlist_emails AS entry WHERE entry.id > $last AND entry.id % 12 = 3)
  WHERE referrer IS NOT NULL`;

const REFERRERS = `
  INSERT INTO referrers SELECT referrer_id, count(*), count(*) FROM referrals WHERE entry_id > $last AND ruling = 'counted' GROUP BY 1
  ON CONFLICT DO UPDATE SET counted = counted + excluded.counted`;

const REACHED = `
  INSERT INTO reached_milestones (entry_id, friends, reached_at)
  SELECT entry_id, value, $now - 3600000 * (entry_id % 900)
  FROM referrers JOIN json_each('${JSON.stringify(milestones.map(({ friends }) => friends))}') ON value <= counted
  WHERE entry_id > $last - 60
  ON CONFLICT DO NOTHING`;

const ERASED = `
  INSERT INTO erased_totals SELECT date($now / 1000, 'unixepoch'), $erased WHERE $erased > 0
  ON CONFLICT DO UPDATE SET count = count + $erased`;

/** Of the last days: as many as there are new entries, at most 60. One day had an attack. */
const BLOCKED = `
  WITH RECURSIVE days (ago) AS (SELECT 0 WHERE $added > 0 UNION ALL SELECT ago + 1 FROM days WHERE ago + 1 < min(60, $added))
  INSERT INTO blocked_attempts (day, reason, count)
  SELECT date($now / 1000 - 86400 * ago, 'unixepoch'), key, value FROM days, json_each(json_object(
    'body', 3 + ago % 4, 'origin', 1 + ago % 3, 'honeypot', 6 + ago * 7 % 11, 'address', 9 + ago * 5 % 13,
    'rate-limited', iif(ago = 9, 190, 2))) WHERE true
  ON CONFLICT DO NOTHING`;

/** Visits on each day with new entries, at a rate for each name. As many names of a kind are stored as by the site: 100. */
const VISITS = `
  WITH names (day, kind, name) AS (
    SELECT date(created_at / 1000, 'unixepoch'), key, value FROM waitlist_emails AS entry, json_each(json_object(
      'page', iif(entry.id % 7, '/', '/roadmap'), 'utm_source', utm_source, 'utm_campaign', utm_campaign,
      'referrer_host', referrer_host, 'via', iif(entry.id % 12 = 3, 'link', NULL))) WHERE entry.id > $last AND value IS NOT NULL
  ),
  counted AS (SELECT *, count(*) * iif(kind = 'page', 18, 6 + 7 * length(name) % 27) AS visits FROM names GROUP BY 1, 2, 3),
  ranked AS (SELECT *, row_number() OVER (PARTITION BY day, kind ORDER BY visits DESC) AS rank FROM counted),
  stored AS (SELECT day, kind, iif(rank <= 100, name, '(other)') AS name, sum(visits) AS visits FROM ranked GROUP BY 1, 2, 3),
  kinds AS (SELECT day, kind, json_group_object(name, visits) AS visits FROM stored GROUP BY 1, 2)
  INSERT INTO page_visits (day, counts) SELECT day, json_group_object(kind, json(visits)) FROM kinds GROUP BY 1
  ON CONFLICT DO NOTHING`;
