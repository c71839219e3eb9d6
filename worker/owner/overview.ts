import { reviveDead } from "#app/email/outbox.server.ts";
import { readNotices } from "#app/email/owner-notices.server.ts";
import { logInfo } from "#app/log.ts";
import { readFigures } from "#app/owner/figures.server.ts";
import { page } from "#app/owner/page.server.tsx";
import { overviewView, PERIODS } from "#app/owner/views/overview.server.tsx";
import type { OwnerContext } from "#worker/owner/types.ts";

export async function showOverview(c: OwnerContext) {
  const { db, now, ownerTimeZone: timeZone } = c.env.app;
  const days = PERIODS.find((period) => String(period) === c.req.query("days")) ?? PERIODS[0];
  const [figures, notices] = await Promise.all([readFigures(db, { now: now(), days, timeZone }), readNotices(db)]);
  const revived = c.req.query("revived");
  const done = revived !== undefined && /^\d{1,9}$/.test(revived) ? Number(revived) : null;
  return c.html(page(overviewView({ figures, notices, days, timeZone, revived: done })));
}

/** Gives dead mail another round; the next sweeps send it. */
export async function retryDeadMail(c: OwnerContext) {
  const mails = await reviveDead(c.env.app.db, c.env.app.now());
  logInfo("dead-mail-revived", { mails });
  return c.redirect(`/owner?revived=${mails}`, 303);
}
