import { renderDocument } from "#app/owner/document.server.tsx";
import type { OwnerContext } from "#app/owner/handlers/types.ts";
import { readLog } from "#app/owner/log.server.ts";
import { listSessions } from "#app/owner/session.server.ts";
import { logView } from "#app/owner/views/log.server.tsx";

const PAGE_SIZE = 50;

export async function showLog(c: OwnerContext) {
  const { db, emailContext } = c.env.app;
  const value = c.req.query("before");
  const before = value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  const { owner } = c.var;
  const [found, sessions] = await Promise.all([
    readLog(db, { before, limit: PAGE_SIZE }),
    listSessions(c.env.app, owner),
  ]);
  return c.html(
    renderDocument(
      logView({ ...found, owner, sessions, isFirst: before === undefined, timeZone: emailContext.ownerTimeZone }),
    ),
  );
}
