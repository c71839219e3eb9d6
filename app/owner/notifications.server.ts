import { enqueueNotification, readNotifications, type StoredNotification } from "#app/email/notifications.server.ts";
import type { EmailContext } from "#app/email/render-email.server.ts";
import type { AlertProps } from "#app/email/templates/alert-email.server.ts";
import type { DigestProps } from "#app/email/templates/digest-email.server.ts";
import { countJoined, readAlertStats, readDigestStats } from "#app/owner/notification-stats.server.ts";
import { lastLocalDays, localDate, localHour } from "#app/owner/time-zone-days.ts";
import type { Db } from "#app/server/db/client.server.ts";

interface EnqueueDeps {
  db: Db;
  emailContext: Pick<EmailContext, "ownerEmail" | "ownerTimeZone">;
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

/** Enqueues the digest and the alert that are due; the next sweep sends them. */
export async function enqueueNotifications(deps: EnqueueDeps): Promise<void> {
  if (deps.emailContext.ownerEmail === null) return;
  const notifications = await readNotifications(deps.db);
  const newest = (kind: StoredNotification["kind"]) => notifications.find((stored) => stored.kind === kind);
  await enqueueDigest(deps, newest("digest"));
  await enqueueAlert(deps, newest("alert"));
}

/**
 * Once a day in the owner's time zone, about the days since the last digest, if anyone joined. A digest that is unsent
 * after a day is replaced by one that also covers its days.
 */
async function enqueueDigest({ db, emailContext, now: clock }: EnqueueDeps, last: StoredNotification | undefined) {
  const now = clock();
  const timeZone = emailContext.ownerTimeZone;
  if (localHour(now, timeZone) < DIGEST_HOUR) return;
  if (last?.sent_at && localDate(last.sent_at, timeZone) === localDate(now, timeZone)) return;
  const until = lastLocalDays(now, 1, timeZone)[0]?.from ?? now;
  if (last !== undefined && last.sent_at === null && last.data.periodEnd >= until) return;
  const from = last === undefined ? 0 : periodStart(last, (last.data as unknown as DigestProps).from);
  if (from >= until || (await countJoined(db, { from, until })) === 0) return;
  const data = { from, until, ...(await readDigestStats(db, { from, until })) };
  await enqueueNotification(db, { kind: "digest", data, periodEnd: until, replacesUnsent: true }, now);
}

/** At most hourly, about emails that became dead since the last alert and unusually many blocked attempts. */
async function enqueueAlert({ db, now: clock }: EnqueueDeps, last: StoredNotification | undefined): Promise<void> {
  const now = clock();
  const props = last?.data as unknown as AlertProps | undefined;
  const since = last === undefined || props === undefined ? 0 : periodStart(last, props.since);
  const until = now - SETTLING_TIME;
  const { dead, reasons, today, usual } = await readAlertStats(db, { since, until, now });
  const reported = last?.sent_at ? (props?.blocked ?? null) : null;
  const isUnusual = today.count >= MIN_BLOCKED && today.count >= MIN_INCREASE * usual;
  // An ongoing increase is reported again once the number has doubled.
  const isNew = reported?.day !== today.day || today.count >= 2 * reported.count;
  const blocked = isUnusual && isNew ? { ...today, usual } : null;
  if (dead === 0 && blocked === null) return;
  await enqueueNotification(db, { kind: "alert", data: { since, dead, reasons, blocked }, periodEnd: until }, now);
}

/** The start of the next period: the end of the last notification's, or its start if it was never sent. */
function periodStart(last: StoredNotification, lastStart: number): number {
  return last.sent_at === null ? lastStart : last.data.periodEnd;
}
