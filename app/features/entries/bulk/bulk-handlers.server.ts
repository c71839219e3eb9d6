import {
  type BulkAction,
  changedToday,
  findBulkAction,
  findUndo,
  startBulkAction,
  stopBulkAction,
  UNDO_PERIOD,
} from "#app/features/entries/bulk/bulk-actions.server.ts";
import { changeJobs } from "#app/features/entries/bulk/change-jobs.server.ts";
import { confirmView } from "#app/features/entries/bulk/confirm-view.server.tsx";
import { bulkActionView, type Undo } from "#app/features/entries/bulk/progress-view.server.tsx";
import { readBulk, type StartedKind } from "#app/features/entries/bulk/read-bulk.server.ts";
import { countRestorable } from "#app/features/entries/bulk/unsubscribe-many.server.ts";
import { selectionDetails } from "#app/features/entries/describe-selection.ts";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { clearSearch } from "#app/owner/ui/search-cookie.server.ts";
import { isTypedCount } from "#app/owner/ui/typed-count.ts";
import type { BulkKind } from "#app/server/db/schema/bulk.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { logError, logInfo } from "#app/server/log.ts";
import { runJobs, TIME_AFTER_RESPONSE } from "#app/server/queue.server.ts";
import { newestEntry } from "#app/waitlist/filter/list-entries.server.ts";

/** Statements of a request besides those of its chunks. */
const OTHER_STATEMENTS = 10;

const logged: Record<BulkKind, { start: string; stop: string }> = {
  erase: { start: "erase-many", stop: "stop-erasing" },
  unsubscribe: { start: "unsubscribe-many", stop: "stop-unsubscribing" },
  undo: { start: "undo-unsubscribing", stop: "stop-undoing" },
};

export async function showConfirmation(c: OwnerContext, kind: StartedKind) {
  return c.render(confirmView(await readBulk(c, kind)));
}

/** Starts an action, if the number of entries was typed and is still the same. */
export async function confirmBulkAction(c: OwnerContext, kind: StartedKind) {
  const { app, form } = c.var;
  const bulk = await readBulk(c, kind, parseId(fieldText(form, "newest")));
  const { selection, affected, problems } = bulk;
  const typed = fieldText(form, "count");
  // With a filter left out, more would be changed than the owner asked for.
  const mayStart = problems.length === 0 && bulk.running === null;
  if (!mayStart || affected.entries === 0 || !isTypedCount(typed, affected.entries)) {
    c.status(422);
    return c.render(confirmView({ ...bulk, typed }));
  }
  const started = { kind, selection, newestEntryId: bulk.newest, expected: affected.entries, now: app.now() };
  const bulkActionId = await startBulkAction(app.db, started);
  // Another owner was quicker.
  if (bulkActionId === null) return showConfirmation(c, kind);
  // The search cookie may hold an erased address.
  clearSearch(c);
  return toStarted(c, { id: bulkActionId, kind, entries: affected.entries, details: selectionDetails(selection) });
}

/** Logs the start of an action, begins it after the response, and leads to its page. */
async function toStarted(
  c: OwnerContext,
  { id, kind, entries, details }: { id: number; kind: BulkKind; entries: number; details: Record<string, string> },
) {
  const { app } = c.var;
  await c.var.record(logged[kind].start, { bulkActionId: id, entries, ...details });
  logInfo("bulk-action-confirmed", { bulkActionId: id, kind, entries });
  const run = { subrequests: app.plan.subrequests - OTHER_STATEMENTS, until: app.now() + TIME_AFTER_RESPONSE };
  app.waitUntil(runJobs(app, [changeJobs], run).catch((error: unknown) => logError("bulk-action-interrupted", error)));
  return c.redirect(`/owner/bulk/${id}`, 303);
}

export async function showBulkAction(c: OwnerContext) {
  const { db, now, timeZone, plan } = c.var.app;
  const found = await findBulkAction(db, Number(c.req.param("id")));
  if (found === null) return c.notFound();
  const [today, undo] = await Promise.all([changedToday(db, now()), readUndo(c, found)]);
  return c.render(bulkActionView({ found, undo, timeZone, waitsForTomorrow: today >= plan.changedRecordsADay }));
}

export async function changeBulkAction(c: OwnerContext) {
  const { db, now } = c.var.app;
  const id = Number(c.req.param("id"));
  const intent = c.var.form.get("intent");
  if (intent !== "stop" && intent !== "undo") return badRequest(c);
  const found = await findBulkAction(db, id);
  if (found === null) return c.notFound();
  if (intent === "undo") return undoBulkAction(c, found);
  if (await stopBulkAction(db, id, now())) await c.var.record(logged[found.kind].stop, { bulkActionId: id });
  return c.redirect(`/owner/bulk/${id}`, 303);
}

async function undoBulkAction(c: OwnerContext, found: BulkAction) {
  const { db, now } = c.var.app;
  const undo = await readUndo(c, found);
  const here = `/owner/bulk/${found.id}`;
  if (undo?.kind === "undone") return c.redirect(`/owner/bulk/${undo.id}`, 303);
  if (undo?.kind !== "possible" || undo.people === 0) return c.redirect(`${here}?done=unchanged`, 303);
  const id = await startBulkAction(db, {
    kind: "undo",
    undoes: found.id,
    selection: {},
    newestEntryId: await newestEntry(db),
    expected: undo.people,
    now: now(),
  });
  if (id === null) return c.redirect(`${here}?done=bulk-busy`, 303);
  return toStarted(c, { id, kind: "undo", entries: undo.people, details: {} });
}

/** Whether an action can be undone; null if it never can, or has not ended. */
async function readUndo(c: OwnerContext, { id, kind, state, affected, finished_at }: BulkAction): Promise<Undo | null> {
  if (kind !== "unsubscribe" || state === "running" || affected === 0) return null;
  const { db, now } = c.var.app;
  const undoneBy = await findUndo(db, id);
  if (undoneBy !== null) return { kind: "undone", id: undoneBy };
  const until = (finished_at ?? 0) + UNDO_PERIOD;
  if (now() >= until) return { kind: "too-late" };
  return { kind: "possible", people: await countRestorable(db, id, now()), until };
}
