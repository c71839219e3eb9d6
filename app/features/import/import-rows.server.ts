import { eq, getTableColumns, sql } from "drizzle-orm";
import type { CsvRow } from "#app/features/import/file/read-csv.server.ts";
import { type ImportedEntry, toEntry } from "#app/features/import/file/to-entry.server.ts";
import { type Import, nextRows, rowsToday, WITHOUT_WORDS } from "#app/features/import/imports.server.ts";
import type { DisposableDomains } from "#app/server/abuse/disposable-domains.server.ts";
import type { PlanLimits } from "#app/server/config/plan-limits.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { randomUuid } from "#app/server/db/enqueue-email.server.ts";
import { importedPriority } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { imports } from "#app/server/db/schema/imports.server.ts";
import { jobs } from "#app/server/db/schema/jobs.server.ts";
import { runBatch } from "#app/server/db/sql-batch.server.ts";
import { isKeptOut } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { hashMailbox } from "#app/server/hashes/mailbox.server.ts";
import { isClaimedBy, type Job, recordResults } from "#app/server/queue.server.ts";
import { nextUtcDay, utcDay } from "#app/server/time/calendar.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { presentAnswers } from "#app/waitlist/questions/questions.server.ts";

export interface ImportDeps {
  db: Db;
  hashKey: string;
  disposableDomains: DisposableDomains;
  plan: Pick<PlanLimits, "importedAtOnce" | "importedADay" | "jobsOfEachKind">;
  now: () => EpochMillis;
}

/** Imports the next rows of a file. Every person is added once, however often this is interrupted or repeated. */
export async function importNextRows(deps: ImportDeps, job: Job): Promise<void> {
  const { db, plan } = deps;
  const now = deps.now();
  const next = await readNext(db, job.subject, plan.importedAtOnce + 1, now);
  if (next?.found.settings == null) throw new Error("a running import has no settings");
  const most = Math.min(plan.importedAtOnce, plan.importedADay - next.today);
  if (most <= 0) {
    await recordResults(db, [[job, { next_attempt_at: nextUtcDay(now), attempts: 0 }]]);
    return;
  }
  const { id, position, chunks, rows_done, settings, checked_at, confirmed_at } = next.found;
  const rows = next.rows.slice(0, most);
  const endsChunk = next.rows.length <= most;
  const isLast = endsChunk && position + 1 >= chunks;
  const repeats = new Set(settings.repeats);
  const context = { settings, now: checked_at ?? now };
  const people = rows.flatMap((row) => (repeats.has(row[0]) ? [] : (toEntry(row, context).entry ?? [])));
  const unsubscribes = settings.unsubscribe === true && people.some(({ status }) => status === "unsubscribed");
  const entries = await prepareEntries(deps, people, id);
  const answered = settings.fill ? people.filter(({ status, answers }) => status === "active" && answers !== null) : [];
  const values = {
    id,
    now,
    confirmed_at,
    job: job.id,
    day: utcDay(now),
    entries: JSON.stringify(entries.map((entry) => columns.map((name) => entry[name] ?? null))),
    people: JSON.stringify(entries.map(({ email, address_hash }) => [email, address_hash])),
    unsubscribes,
    fills: settings.fill === true,
    answered: JSON.stringify(answered.map(({ email, answers }) => [email, presentAnswers(answers)])),
    rows: rows.length,
    position: endsChunk ? position + 1 : position,
    rows_done: endsChunk ? 0 : rows_done + rows.length,
    is_last: isLast,
  };
  const parts = {
    is_claimed: isClaimedBy(jobs, job),
    is_kept_out: isKeptOut(sql`value ->> 1`, now),
    random_uuid: randomUuid,
  };
  const named = (text: string) => ({ text, values, parts });
  // In this order, each statement can be repeated if a remote batch is not a transaction.
  await runBatch(db, [
    named(ADD_PEOPLE),
    ...(unsubscribes ? [named(WITHDRAW_EMAILS)] : []),
    ...(settings.fill ? [named(FILL_ANSWERS)] : []),
    ...(settings.welcome ? [named(QUEUE_WELCOMES)] : []),
    named(ADVANCE),
    recordResults(db, [[job, isLast ? { done_at: now } : { next_attempt_at: now, attempts: 0 }]]).getSQL(),
    // Also in the batch of a run that has lost its lease, whose rows the next one imports.
    ...(endsChunk ? [named(DELETE_IMPORTED)] : []),
  ]);
}

async function readNext(db: Db, id: number, limit: number, now: EpochMillis) {
  const rows = sql<string>`(SELECT json_group_array(json(value)) FROM (${nextRows(id, limit)}))`;
  const [next] = await db
    .select({ found: imports, rows, today: rowsToday(now) })
    .from(imports)
    .where(eq(imports.id, id));
  return next && { ...next, found: next.found as Import, rows: JSON.parse(next.rows) as CsvRow[] };
}

/** Adds the hashes of each person, and whether the domain is disposable where the file does not say. */
async function prepareEntries({ hashKey, disposableDomains }: ImportDeps, people: ImportedEntry[], import_id: number) {
  const domainOf = (email: string) => email.slice(email.lastIndexOf("@") + 1);
  const isDisposable = new Map<string, boolean>();
  // Each domain once and one after the other: the first reads the list, which is a request.
  for (const [domain, email] of new Map(people.map(({ email }) => [domainOf(email), email]))) {
    isDisposable.set(domain, await disposableDomains.has(email));
  }
  const prepare = async (entry: ImportedEntry) => ({
    ...entry,
    import_id,
    disposable: entry.disposable ?? isDisposable.get(domainOf(entry.email)) === true,
    address_hash: await keyedHash("address:v1", entry.email, hashKey),
    mailbox_hash: await hashMailbox(entry.email, hashKey),
  });
  return Promise.all(people.map(prepare));
}

/**
 * A row of `:entries` is an array, because the names of the columns would take up much of the 2 MB that a string may have
 * in D1. The first two are also in `:people`.
 */
const { id: _, email, address_hash, ...others } = getTableColumns(waitlistEmails);
const columns = ["email", "address_hash", ...(Object.keys(others) as (keyof typeof others)[])] as const;

/** A run that has lost its lease, or whose import was stopped, writes nothing. */
const MAY_WRITE = `EXISTS (SELECT 1 FROM imports, jobs
    WHERE imports.id = :id AND imports.state = 'running' AND jobs.id = :job AND {is_claimed})`;

/** People who are not on the list, and whose address gets no email, or who erased themselves or left before that. */
const IS_LEFT_OUT = "{is_kept_out} AND NOT EXISTS (SELECT 1 FROM waitlist_emails WHERE email = value ->> 0)";

/**
 * Entries on the list stay as they are, except for active ones that the file marks as opted out: these are unsubscribed,
 * unless their person has rejoined or confirmed since the owner confirmed the import.
 */
const ADD_PEOPLE = `INSERT INTO waitlist_emails (${columns.join(", ")})
  SELECT ${columns.map((_name, index) => `value ->> ${index}`).join(", ")}
  FROM json_each(:entries) WHERE ${MAY_WRITE} AND NOT (${IS_LEFT_OUT})
  ON CONFLICT (email) DO UPDATE
  SET status = 'unsubscribed', unsubscribed_at = :confirmed_at, unsubscribe_reason = 'import', bulk_action_id = NULL
  WHERE :unsubscribes AND excluded.status = 'unsubscribed' AND waitlist_emails.status = 'active'
    AND max(coalesce(waitlist_emails.consent_at, 0), coalesce(waitlist_emails.confirmed_at, 0)) < :confirmed_at`;

const IS_ADDED = "email IN (SELECT value ->> 0 FROM json_each(:people)) AND import_id = :id";

/** People whom this import has unsubscribed: the time is the same whenever that is repeated. */
const HAS_LEFT = `:unsubscribes AND email IN (SELECT value ->> 0 FROM json_each(:people)) AND import_id IS NOT :id
    AND unsubscribe_reason = 'import' AND unsubscribed_at = :confirmed_at`;

const WITHDRAW_EMAILS = `DELETE FROM email_outbox
  WHERE entry_id IN (SELECT id FROM waitlist_emails WHERE ${HAS_LEFT}) AND done_at IS NULL AND leased_until <= :now`;

/**
 * Gives active people who were on the list the answers that they have not given, unless they have changed something since the
 * owner confirmed the import.
 */
const FILL_ANSWERS = `UPDATE waitlist_emails
  SET answers = json_patch(given.answers, coalesce(waitlist_emails.answers, '{}')), changed_at = :confirmed_at
  FROM (SELECT value ->> 0 AS email, value -> 1 AS answers FROM json_each(:answered)) AS given
  WHERE waitlist_emails.email = given.email AND status = 'active' AND import_id IS NOT :id
    AND coalesce(changed_at, 0) < :confirmed_at AND ${MAY_WRITE}
    AND EXISTS (SELECT 1 FROM json_each(given.answers) AS answer
      WHERE answer.key NOT IN (SELECT key FROM json_each(coalesce(waitlist_emails.answers, '{}'))))`;

/** People whose answers this import has filled in: the time is the same whenever that is repeated. */
const IS_FILLED = `:fills AND email IN (SELECT value ->> 0 FROM json_each(:people)) AND import_id IS NOT :id
    AND changed_at = :confirmed_at`;

const QUEUE_WELCOMES = `INSERT INTO email_outbox
    (id, entry_id, kind, dedupe_key, priority, next_attempt_at, created_at, reason)
  SELECT {random_uuid}, id, 'welcome', 'welcome:' || id, ${importedPriority}, :now, :now, 'import-limit'
  FROM waitlist_emails
  WHERE ${IS_ADDED} AND status = 'active' AND (confirm_by IS NULL OR confirmed_at IS NOT NULL)
  ON CONFLICT DO NOTHING`;

const ADVANCE = `UPDATE imports
  SET position = :position, rows_done = :rows_done,
    imported_today = iif(imported_on = :day, imported_today, 0) + :rows, imported_on = :day,
    added = added + (SELECT count(*) FROM waitlist_emails WHERE ${IS_ADDED}),
    unsubscribed = unsubscribed + (SELECT count(*) FROM waitlist_emails WHERE ${HAS_LEFT}),
    filled = filled + (SELECT count(*) FROM waitlist_emails WHERE ${IS_FILLED}),
    suppressed = suppressed + (SELECT count(*) FROM json_each(:people) WHERE ${IS_LEFT_OUT}),
    state = iif(:is_last, 'done', state), finished_at = iif(:is_last, :now, finished_at),
    settings = iif(:is_last, ${WITHOUT_WORDS}, settings)
  WHERE id = :id AND ${MAY_WRITE}`;

const DELETE_IMPORTED = `DELETE FROM import_chunks
  WHERE import_id = :id AND position < (SELECT position FROM imports WHERE id = :id)`;
