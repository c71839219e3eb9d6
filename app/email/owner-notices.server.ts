import { lte, sql } from "drizzle-orm";
import { DB_TIME_LIMIT, type Db } from "#app/db/client.server.ts";
import { type NoticeKind, ownerNotices } from "#app/db/schema.server.ts";
import { ceilingLetter } from "#app/email/ceiling-mail.server.tsx";
import type { MailFacts } from "#app/email/letters.server.ts";
import type { Mailer } from "#app/email/mailer.server.ts";
import { logError, logInfo, logWarning } from "#app/log.ts";
import { withTimeLimit } from "#app/time-limit.ts";

interface NoticeDeps {
  db: Db;
  mailer: Mailer;
  mailPerHour: number;
  ownerEmail: string | null;
  facts: Pick<MailFacts, "siteUrl" | "replyTo">;
  now: () => number;
}

/** The owner hears of one thing once in this time, however long it lasts (milliseconds). */
const PAUSE = 60 * 60_000;

/**
 * Tells the owner that mail waits because the site has sent its share for this hour: in the log every time, by mail at
 * most once an hour. The mail is not counted against the ceiling. One that fails is logged and not tried again before
 * the hour is over.
 */
export async function tellOwnerOfCeiling(deps: NoticeDeps, held: number): Promise<void> {
  const { db, mailer, mailPerHour, ownerEmail, facts, now } = deps;
  logWarning("sweep-held", { reason: "MAIL_PER_HOUR", perHour: mailPerHour, mails: held });
  if (ownerEmail === null || !(await claimNotice(db, "mail-ceiling", now()))) return;
  const letter = ceilingLetter({ siteUrl: facts.siteUrl, perHour: mailPerHour, held });
  const headers = { "Auto-Submitted": "auto-generated" };
  try {
    await mailer.send({ to: ownerEmail, replyTo: facts.replyTo, ...letter, headers }, crypto.randomUUID());
    logInfo("owner-told", { kind: "mail-ceiling" });
  } catch (error) {
    logError("owner-not-told", error, { kind: "mail-ceiling" });
  }
}

/** Whether a notice may be sent now. One atomic statement, so that of two sweeps at once only one sends it. */
async function claimNotice(db: Db, kind: NoticeKind, now: number): Promise<boolean> {
  const claim = db
    .insert(ownerNotices)
    .values({ kind, sent_at: now })
    .onConflictDoUpdate({
      target: ownerNotices.kind,
      set: { sent_at: sql`excluded.sent_at` },
      setWhere: lte(ownerNotices.sent_at, now - PAUSE),
    })
    .returning({ kind: ownerNotices.kind });
  return (await withTimeLimit(claim.execute(), DB_TIME_LIMIT, "D1")).length > 0;
}
