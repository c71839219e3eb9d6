import { and, eq, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm";
import { DB_TIME_LIMIT, type Db } from "#app/db/client.server.ts";
import { ownerNotices } from "#app/db/schema.server.ts";
import type { MailFacts } from "#app/email/letters.server.ts";
import type { Mailer } from "#app/email/mailer.server.ts";
import { type Notice, type NoticeFacts, writeNotice } from "#app/email/notice-letters.server.ts";
import { LEASE } from "#app/email/outbox.server.ts";
import { MAX_ATTEMPTS, retryDelay } from "#app/email/retry-schedule.ts";
import { describeError, logError, logInfo } from "#app/log.ts";
import { withTimeLimit } from "#app/time-limit.ts";

export interface NoticeDeps {
  db: Db;
  /** Null while no sender is configured: notices then wait. */
  mailer: Mailer | null;
  /** Null while no owner is configured: nobody is told then. */
  ownerEmail: string | null;
  /** The owner's; an IANA name. */
  ownerTimeZone: string;
  facts: MailFacts;
  now: () => number;
}

/** Between two mails about the same thing, however long it lasts (milliseconds). */
const NOTICE_PAUSE = 60 * 60_000;

/** A notice as it is kept: what it told, and whether it has arrived. */
export type KeptNotice = typeof ownerNotices.$inferSelect;

/** The newest notice of each kind. */
export async function readNotices(db: Db): Promise<KeptNotice[]> {
  return inTime(db.select().from(ownerNotices));
}

/**
 * Owes the owner a notice, unless one of its kind is being sent, still owed, or was sent less than {@link NOTICE_PAUSE}
 * ago. With `replacesUnsent` it takes the place of one that is still owed, and `coversUntil` alone tells whether it is
 * news. One atomic statement, so that of two at once only one is owed.
 *
 * @returns whether it is owed now
 */
export async function oweNotice<Kind extends Notice["kind"]>(
  db: Db,
  notice: { kind: Kind; facts: NoticeFacts[Kind]; coversUntil: number; replacesUnsent?: boolean },
  now: number,
): Promise<boolean> {
  const { kind, facts, coversUntil, replacesUnsent = false } = notice;
  const fresh = {
    id: crypto.randomUUID(),
    facts,
    covers_until: coversUntil,
    owed_at: now,
    attempts: 0,
    next_attempt_at: now,
    leased_until: 0,
    sent_at: null,
    dead_at: null,
    last_error: null,
  };
  const settled = lte(sql`coalesce(${ownerNotices.sent_at}, ${ownerNotices.dead_at})`, now - NOTICE_PAUSE);
  const isNews = replacesUnsent ? lt(ownerNotices.covers_until, coversUntil) : settled;
  const owe = db
    .insert(ownerNotices)
    .values({ kind, ...fresh })
    .onConflictDoUpdate({
      target: ownerNotices.kind,
      set: fresh,
      setWhere: and(isNews, or(lte(ownerNotices.leased_until, now), isNotNull(ownerNotices.sent_at))),
    })
    .returning({ kind: ownerNotices.kind });
  return (await inTime(owe)).length > 0;
}

/** Sends the notices that are due. They are not counted against the ceiling of mails an hour, of which one may tell. */
export async function deliverNotices(deps: NoticeDeps): Promise<void> {
  if (deps.mailer === null || deps.ownerEmail === null) return;
  for (const notice of await claimNotices(deps.db, deps.now()))
    await deliver(deps, deps.mailer, deps.ownerEmail, notice);
}

async function deliver(deps: NoticeDeps, mailer: Mailer, to: string, notice: KeptNotice): Promise<void> {
  const { kind, id, attempts } = notice;
  const { siteUrl, replyTo } = deps.facts;
  const letter = writeNotice(notice as Notice, { siteUrl, timeZone: deps.ownerTimeZone });
  try {
    await mailer.send({ to, replyTo, ...letter, headers: { "Auto-Submitted": "auto-generated" } }, id);
  } catch (error) {
    const dead = attempts >= MAX_ATTEMPTS;
    await stamp(deps.db, id, {
      last_error: describeError(error).slice(0, 500),
      leased_until: 0,
      ...(dead ? { dead_at: deps.now() } : { next_attempt_at: deps.now() + retryDelay(attempts) }),
    });
    logError("owner-not-told", error, { kind, attempts, outcome: dead ? "dead" : "waiting" });
    return;
  }
  await stamp(deps.db, id, { sent_at: deps.now(), leased_until: 0, last_error: null });
  logInfo("owner-told", { kind, attempts });
}

/** Claims what is due, as mail to visitors is claimed: of two sweeps at once only one gets a notice. */
async function claimNotices(db: Db, now: number): Promise<KeptNotice[]> {
  const { sent_at, dead_at, next_attempt_at, leased_until, attempts } = ownerNotices;
  const isDue = and(isNull(sent_at), isNull(dead_at), lte(next_attempt_at, now), lte(leased_until, now));
  const claim = db
    .update(ownerNotices)
    .set({ leased_until: now + LEASE, attempts: sql`${attempts} + 1` })
    .where(isDue)
    .returning();
  return inTime(claim);
}

async function stamp(db: Db, id: string, set: Partial<KeptNotice>): Promise<void> {
  await inTime(db.update(ownerNotices).set(set).where(eq(ownerNotices.id, id)));
}

function inTime<T>(query: PromiseLike<T>): Promise<T> {
  return withTimeLimit(Promise.resolve(query), DB_TIME_LIMIT, "D1");
}
