import { listSessions, readLog } from "#app/features/log/log.server.ts";
import { logView } from "#app/features/log/log-view.server.tsx";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";

const PAGE_SIZE = 50;

export async function showLog(c: OwnerContext) {
  const { db, timeZone } = c.var.app;
  const before = parseId(c.req.query("before"));
  const { owner } = c.var;
  const [found, sessions] = await Promise.all([
    readLog(db, { before, limit: PAGE_SIZE }),
    listSessions(c.var.app, owner),
  ]);
  const subjects = c.var.sections.flatMap(({ subject }) => subject ?? []);
  return c.render(logView({ ...found, subjects, owner, sessions, isFirst: before === undefined, timeZone }));
}
