import { readLog } from "#app/owner/log/log.server.ts";
import { logView } from "#app/owner/log/log-view.server.tsx";
import { listSessions } from "#app/owner/sign-in/session.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";

const PAGE_SIZE = 50;

export async function showLog(c: OwnerContext) {
  const { db, timeZone } = c.var.app;
  const value = c.req.query("before");
  const before = value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  const { owner } = c.var;
  const [found, sessions] = await Promise.all([
    readLog(db, { before, limit: PAGE_SIZE }),
    listSessions(c.var.app, owner),
  ]);
  return c.render(logView({ ...found, owner, sessions, isFirst: before === undefined, timeZone }));
}
