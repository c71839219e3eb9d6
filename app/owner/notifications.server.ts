import {
  enqueueNotification,
  readNotifications,
  type StoredNotification,
} from "#app/email/owner-notifications.server.ts";
import type { AlertProps } from "#app/email/templates/alert-email.server.ts";
import type { DigestProps } from "#app/email/templates/digest-email.server.ts";
import { readAlertStats, readDigestStats } from "#app/owner/notification-stats.server.ts";
import { lastLocalDays, localDate, localHour } from "#app/owner/time-zone-days.ts";
import type { Db } from "#app/server/db/client.server.ts";

interface EnqueueDeps {
  db: Db;
  /** Null if no owner is configured; then nothing is enqueued. */
  ownerEmail: string | null;
  ownerTimeZone: string;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Digests are enqueued from this hour in the owner's time zone. */
const DIGEST_HOUR = 7;

/** An alert needs at least this many blocked attempts in a day, and this many times the usual number. */
const MIN_BLOCKED = 100;
const MIN_INCREASE = 5;

/** Emails that became dead this recently are left to the next alert: some may not be recorded yet (milliseconds). */
const SETTLING_TIME = 60_000;

/** Enqueues the digest and the alert that are due. Sending them is up to `deliverNotifications`. */
export async function enqueueNotifications(deps: EnqueueDeps): Promise<void> {
  if (deps.ownerEmail === null) return;
  const notifications = await readNotifications(deps.db);
  const newest = (kind: StoredNotification["kind"]) => notifications.find((stored) => stored.kind === kind);
  await enqueueDigest(deps, newest("digest"));
  await enqueueAlert(deps, newest("alert"));
}

/**
 * Once a day in the owner's time zone, about the days since the last digest, if anyone joined. A digest that is unsent
 * after a day is replaced by one that also covers its days.
 */
async function enqueueDigest(
  { db, ownerTimeZone, now: clock }: EnqueueDeps,
  last: StoredNotification | undefined,
): Promise<void> {
  const now = clock();
  if (localHour(now, ownerTimeZone) < DIGEST_HOUR) return;
  if (last?.sent_at && localDate(last.sent_at, ownerTimeZone) === localDate(now, ownerTimeZone)) return;
  const until = lastLocalDays(now, 1, ownerTimeZone)[0]?.from ?? now;
  const from = last === undefined ? 0 : periodStart(last, (last.facts as DigestProps).from);
  if (from >= until) return;
  const { joined, ...state } = await readDigestStats(db, { from, until });
  if (joined === 0) return;
  await enqueueNotification(
    db,
    { kind: "digest", facts: { from, until, joined, ...state }, coversUntil: until, replacesUnsent: true },
    now,
  );
}

/** At most hourly, about emails that became dead since the last alert and unusually many blocked attempts. */
async function enqueueAlert({ db, now: clock }: EnqueueDeps, last: StoredNotification | undefined): Promise<void> {
  const now = clock();
  const since = last === undefined ? 0 : periodStart(last, (last.facts as AlertProps).since);
  const until = now - SETTLING_TIME;
  const { dead, reasons, today, usual } = await readAlertStats(db, { since, until, now });
  const reported = last?.sent_at ? (last.facts as AlertProps).blocked : null;
  const isUnusual = today.count >= MIN_BLOCKED && today.count >= MIN_INCREASE * usual;
  // An ongoing increase is reported again once the number has doubled.
  const isNew = reported?.day !== today.day || today.count >= 2 * reported.count;
  const blocked = isUnusual && isNew ? { ...today, usual } : null;
  if (dead === 0 && blocked === null) return;
  await enqueueNotification(db, { kind: "alert", facts: { since, dead, reasons, blocked }, coversUntil: until }, now);
}

/** The start of the next period: the end of the last notification's, or its start if it was never sent. */
function periodStart(last: StoredNotification, lastStart: number): number {
  return last.sent_at === null ? lastStart : last.covers_until;
}
