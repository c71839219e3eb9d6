import { and, eq, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { EmailContext } from "#app/email/entry-emails.server.ts";
import type { Mailer } from "#app/email/mailer.server.ts";
import { type Notice, type NotificationProps, renderNotification } from "#app/email/notification-emails.server.ts";
import { LEASE } from "#app/email/outbox.server.ts";
import { MAX_ATTEMPTS, retryDelay } from "#app/email/retry-schedule.ts";
import { DB_TIMEOUT, type Db } from "#app/server/db/client.server.ts";
import { ownerNotifications } from "#app/server/db/schema.server.ts";
import { describeError, logError, logInfo } from "#app/server/log.ts";
import { withTimeout } from "#app/server/timeout.ts";

export interface NotificationDeps {
  db: Db;
  /** Null while no sender is configured: notices then wait. */
  mailer: Mailer | null;
  /** Null while no owner is configured: nobody is told then. */
  ownerEmail: string | null;
  /** The owner's; an IANA name. */
  ownerTimeZone: string;
  facts: EmailContext;
  now: () => number;
}

/** Between two mails about the same thing, however long it lasts (milliseconds). */
const NOTIFICATION_INTERVAL = 60 * 60_000;

/** A notice as it is kept: what it told, and whether it has arrived. */
export type StoredNotification = typeof ownerNotifications.$inferSelect;

/** The newest notice of each kind. */
export async function readNotifications(db: Db): Promise<StoredNotification[]> {
  return inTime(db.select().from(ownerNotifications));
}

/**
 * Owes the owner a notice, unless one of its kind is being sent, still owed, or was sent less than {@link NOTIFICATION_INTERVAL}
 * ago. With `replacesUnsent` it takes the place of one that is still owed, and `coversUntil` alone tells whether it is
 * news. One atomic statement, so that of two at once only one is owed.
 *
 * @returns whether it is owed now
 */
export async function enqueueNotification<Kind extends Notice["kind"]>(
  db: Db,
  notice: { kind: Kind; facts: NotificationProps[Kind]; coversUntil: number; replacesUnsent?: boolean },
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
  const settled = lte(
    sql`coalesce(${ownerNotifications.sent_at}, ${ownerNotifications.dead_at})`,
    now - NOTIFICATION_INTERVAL,
  );
  const isNews = replacesUnsent ? lt(ownerNotifications.covers_until, coversUntil) : settled;
  const owe = db
    .insert(ownerNotifications)
    .values({ kind, ...fresh })
    .onConflictDoUpdate({
      target: ownerNotifications.kind,
      set: fresh,
      setWhere: and(isNews, or(lte(ownerNotifications.leased_until, now), isNotNull(ownerNotifications.sent_at))),
    })
    .returning({ kind: ownerNotifications.kind });
  return (await inTime(owe)).length > 0;
}

/** Sends the notices that are due. They are not counted against the ceiling of mails an hour, of which one may tell. */
export async function deliverNotifications(deps: NotificationDeps): Promise<void> {
  if (deps.mailer === null || deps.ownerEmail === null) return;
  for (const notice of await claimNotifications(deps.db, deps.now()))
    await deliver(deps, deps.mailer, deps.ownerEmail, notice);
}

async function deliver(deps: NotificationDeps, mailer: Mailer, to: string, notice: StoredNotification): Promise<void> {
  const { kind, id, attempts } = notice;
  const { siteUrl, replyTo } = deps.facts;
  const letter = renderNotification(notice as Notice, { siteUrl, timeZone: deps.ownerTimeZone });
  try {
    await mailer.send({ to, replyTo, ...letter, headers: { "Auto-Submitted": "auto-generated" } }, id);
  } catch (error) {
    const dead = attempts >= MAX_ATTEMPTS;
    await stamp(deps.db, id, {
      last_error: describeError(error).slice(0, 500),
      leased_until: 0,
      ...(dead ? { dead_at: deps.now() } : { next_attempt_at: deps.now() + retryDelay(attempts) }),
    });
    logError("notification-failed", error, { kind, attempts, outcome: dead ? "dead" : "waiting" });
    return;
  }
  await stamp(deps.db, id, { sent_at: deps.now(), leased_until: 0, last_error: null });
  logInfo("notification-sent", { kind, attempts });
}

/** Claims what is due, as mail to visitors is claimed: of two sweeps at once only one gets a notice. */
async function claimNotifications(db: Db, now: number): Promise<StoredNotification[]> {
  const { sent_at, dead_at, next_attempt_at, leased_until, attempts } = ownerNotifications;
  const isDue = and(isNull(sent_at), isNull(dead_at), lte(next_attempt_at, now), lte(leased_until, now));
  const claim = db
    .update(ownerNotifications)
    .set({ leased_until: now + LEASE, attempts: sql`${attempts} + 1` })
    .where(isDue)
    .returning();
  return inTime(claim);
}

async function stamp(db: Db, id: string, set: Partial<StoredNotification>): Promise<void> {
  await inTime(db.update(ownerNotifications).set(set).where(eq(ownerNotifications.id, id)));
}

function inTime<T>(query: PromiseLike<T>): Promise<T> {
  return withTimeout(Promise.resolve(query), DB_TIMEOUT, "D1");
}
