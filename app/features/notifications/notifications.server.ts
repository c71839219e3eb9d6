import {
  ownersWanting,
  queueNotifications,
  readNotifications,
  type StoredNotification,
} from "#app/email/notifications.server.ts";
import type { AlertProps, DigestProps } from "#app/email/templates/owner-emails.server.ts";
import { isUnusual } from "#app/email/unusual.ts";
import {
  countDigestSignUps,
  readAlertStats,
  readDigestTotals,
} from "#app/features/notifications/notification-stats.server.ts";
import type { EmailContext } from "#app/server/context.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { lastLocalDays, localDate, localHour } from "#app/server/time/time-zone-days.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

interface EnqueueDeps {
  db: Db;
  emailContext: Pick<EmailContext, "ownerEmails" | "notificationsOff" | "ownerTimeZone">;
  now: () => EpochMillis;
}

/** An owner, and the last notification of one kind to them. */
interface Recipient {
  ownerId: string;
  last: StoredNotification | undefined;
}

/** Digests are enqueued from this hour in the owner's time zone. */
const DIGEST_HOUR = 7;

/** Emails that became dead this recently are left to the next alert: some may not be recorded yet. */
const SETTLING_TIME: Millis = 60_000;

/** The next run of the cron job sends them. Each owner has separate ones: one that failed is made up for, not repeated to others. */
export async function enqueueNotifications(deps: EnqueueDeps): Promise<void> {
  const [digests, alerts] = await Promise.all([
    ownersWanting("digest", deps.emailContext),
    ownersWanting("alert", deps.emailContext),
  ]);
  const owners = [...new Set([...digests, ...alerts])];
  if (owners.length === 0) return;
  const stored = await readNotifications(deps.db, owners);
  const recipients = (kind: "digest" | "alert", ids: string[]) =>
    ids.map((ownerId) => ({ ownerId, last: stored.find((one) => one.kind === kind && one.ownerId === ownerId) }));
  await enqueueDigests(deps, recipients("digest", digests));
  if (alerts.length > 0) await enqueueAlerts(deps, recipients("alert", alerts));
}

/**
 * Once a day in the owner's time zone, about the days since the last digest, if anyone joined. A digest that is unsent
 * after a day is replaced by one that also covers its days.
 */
async function enqueueDigests({ db, emailContext, now: clock }: EnqueueDeps, recipients: Recipient[]): Promise<void> {
  const now = clock();
  const timeZone = emailContext.ownerTimeZone;
  if (localHour(now, timeZone) < DIGEST_HOUR) return;
  const until = lastLocalDays(now, 1, timeZone)[0]?.from ?? now;
  const isDue = ({ last }: Recipient) =>
    last === undefined ||
    (last.done_at === null
      ? last.data.periodEnd < until
      : localDate(last.done_at, timeZone) !== localDate(now, timeZone));
  const periods = recipients
    .filter(isDue)
    .map(({ ownerId, last }) => ({
      ownerId,
      from: periodStart(last, (data: DigestProps) => data.from),
      until,
      after: lastCounted(last),
    }))
    .filter(({ from }) => from < until);
  const counts = await countDigestSignUps(db, periods);
  const wanted = periods.flatMap((period, index) => {
    const { people = 0, late = 0, newest = 0 } = counts[index] ?? {};
    return people + late > 0 ? [{ ...period, joined: people + late, late, newest }] : [];
  });
  if (wanted.length === 0) return;
  const totals = await readDigestTotals(db, now);
  const digests = wanted.map(({ ownerId, ...period }) => ({
    ownerId,
    data: { ...period, ...totals },
    periodEnd: until,
  }));
  await queueNotifications(db, "digest", digests, now, { replacesUnsent: true });
}

/** The newest entry when the last digest that was sent was made. Null if it is not known: late ones are not counted then. */
function lastCounted(last: StoredNotification | undefined): number | null {
  const { after = null, newest = null } = (last?.data ?? {}) as Partial<Record<"after" | "newest", number | null>>;
  return last?.done_at === null ? after : newest;
}

/** At most hourly, about letters, paused and dead emails, and milestones since the last alert, and unusually many blocked attempts. */
async function enqueueAlerts({ db, now: clock }: EnqueueDeps, recipients: Recipient[]): Promise<void> {
  const now = clock();
  const until = now - SETTLING_TIME;
  const starts = recipients.map(({ last }) => periodStart(last, (data: AlertProps) => data.since));
  const { after, today, usual } = await readAlertStats(db, { starts, until, now });
  const alerts = recipients.flatMap(({ ownerId, last }, index) => {
    const { reasons = [], letters = [], held = false, milestones = 0 } = after[index] ?? {};
    const reported = last?.done_at ? (last.data as unknown as AlertProps).blocked : null;
    // An ongoing increase is reported again once the number has doubled.
    const isNew = reported?.day !== today.day || today.count >= 2 * reported.count;
    const blocked = isUnusual(today.count, usual) && isNew ? { ...today, usual } : null;
    if (reasons.length === 0 && blocked === null && letters.length === 0 && !held && milestones === 0) return [];
    const dead = reasons.reduce((total, reason) => total + reason.emails, 0);
    const shown = reasons.slice(0, MAX_REASONS);
    const data = { since: starts[index] ?? 0, dead, reasons: shown, blocked, letters, held, milestones };
    return [{ ownerId, data, periodEnd: until }];
  });
  await queueNotifications(db, "alert", alerts, now);
}

const MAX_REASONS = 3;

/** The end of the last notification's period, or its start if it was never sent. */
function periodStart<Props>(last: StoredNotification | undefined, startOf: (data: Props) => number): number {
  if (last === undefined) return 0;
  return last.done_at === null ? startOf(last.data as unknown as Props) : last.data.periodEnd;
}
