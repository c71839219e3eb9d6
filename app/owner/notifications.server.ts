import {
  enqueueNotification,
  readNotifications,
  type StoredNotification,
} from "#app/email/owner-notifications.server.ts";
import type { AlertProps } from "#app/email/templates/alert-email.server.ts";
import type { DigestProps } from "#app/email/templates/digest-email.server.ts";
import { readAlertFigures, readDigestFigures } from "#app/owner/notification-stats.server.ts";
import { lastLocalDays, localDate, localHour } from "#app/owner/time-zone-days.ts";
import type { Db } from "#app/server/db/client.server.ts";

interface EnqueueDeps {
  db: Db;
  /** Null while no owner is configured: nobody is told then. */
  ownerEmail: string | null;
  ownerTimeZone: string;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** The digest comes with breakfast: from this hour of the owner's day. */
const DIGEST_HOUR = 7;

/** Turning away so many a day is no news, and neither is less than so many times the usual. */
const MANY_TRIES = 100;
const JUMP = 5;

/** A mail that has just been given up may not be written down yet: the newest minute is left to the next look. */
const SETTLING = 60_000;

/** Looks whether there is something to tell the owner, and owes it. Sending is another's business. */
export async function enqueueNotifications(deps: EnqueueDeps): Promise<void> {
  if (deps.ownerEmail === null) return;
  const notices = await readNotifications(deps.db);
  const kept = (kind: StoredNotification["kind"]) => notices.find((notice) => notice.kind === kind);
  await enqueueDigest(deps, kept("digest"));
  await enqueueAlert(deps, kept("alert"));
}

/**
 * Once on each of the owner's days, about the days since the digest before, if anybody joined on them. A digest that
 * could not be sent for a day makes way for one that covers its days, too.
 */
async function enqueueDigest(
  { db, ownerTimeZone, now: clock }: EnqueueDeps,
  last: StoredNotification | undefined,
): Promise<void> {
  const now = clock();
  if (localHour(now, ownerTimeZone) < DIGEST_HOUR) return;
  if (last?.sent_at && localDate(last.sent_at, ownerTimeZone) === localDate(now, ownerTimeZone)) return;
  const until = lastLocalDays(now, 1, ownerTimeZone)[0]?.from ?? now;
  const from = last === undefined ? 0 : beginsAt(last, (last.facts as DigestProps).from);
  if (from >= until) return;
  const { joined, ...state } = await readDigestFigures(db, { from, until });
  if (joined === 0) return;
  await enqueueNotification(
    db,
    { kind: "digest", facts: { from, until, joined, ...state }, coversUntil: until, replacesUnsent: true },
    now,
  );
}

/** At most hourly, about mail that was given up since the alert before, and about tries beyond the usual. */
async function enqueueAlert({ db, now: clock }: EnqueueDeps, last: StoredNotification | undefined): Promise<void> {
  const now = clock();
  const since = last === undefined ? 0 : beginsAt(last, (last.facts as AlertProps).since);
  const until = now - SETTLING;
  const { dead, reasons, today, usual } = await readAlertFigures(db, { since, until, now });
  const told = last?.sent_at ? (last.facts as AlertProps).blocked : null;
  const jumped = today.count >= MANY_TRIES && today.count >= JUMP * usual;
  // One that goes on is told again when it has doubled.
  const isNews = told?.day !== today.day || today.count >= 2 * told.count;
  const blocked = jumped && isNews ? { ...today, usual } : null;
  if (dead === 0 && blocked === null) return;
  await enqueueNotification(db, { kind: "alert", facts: { since, dead, reasons, blocked }, coversUntil: until }, now);
}

/** Where a notice begins: where the one before ended, or where it began if it never arrived. */
function beginsAt(last: StoredNotification, beginning: number): number {
  return last.sent_at === null ? beginning : last.covers_until;
}
