import { and, desc, lte } from "drizzle-orm";
import { describeSelection, selectionDetails } from "#app/owner/entries/describe-selection.ts";
import { continueErasure, erasureBudget } from "#app/owner/entries/erase-many/erase-chunks.server.ts";
import { eraseView } from "#app/owner/entries/erase-many/erase-view.server.tsx";
import { countErasedRows } from "#app/owner/entries/erase-many/erased-rows.server.ts";
import { erasingPlan } from "#app/owner/entries/erase-many/erasing-plan.server.ts";
import {
  findErasure,
  findRunningErasure,
  rowsWrittenToday,
  startErasure,
  stopErasure,
} from "#app/owner/entries/erase-many/erasures.server.ts";
import { erasureView } from "#app/owner/entries/erase-many/progress-view.server.tsx";
import { readSelection } from "#app/owner/entries/list-handlers.server.ts";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { clearSearch } from "#app/owner/ui/search-cookie.server.ts";
import { isTypedCount } from "#app/owner/ui/typed-count.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { logError, logInfo } from "#app/server/log.ts";
import { fieldText } from "#app/server/read-form.server.ts";
import { isSelected } from "#app/waitlist/entry-conditions.server.ts";

/** Statements of a request besides those of its chunks. */
const OTHER_STATEMENTS = 10;

/** What erasing the entries of the list would do; erases nothing. */
export async function showErasing(c: OwnerContext) {
  return c.render(eraseView(await readErasing(c)));
}

/** Starts erasing, if the number of entries was typed and is still the same. */
export async function confirmErasing(c: OwnerContext) {
  const { app, form } = c.var;
  const { db, now } = app;
  const erasing = await readErasing(c, parseId(fieldText(form, "newest")));
  const { selection, rows, problems } = erasing;
  const typed = fieldText(form, "count");
  // With a filter left out, more would be erased than the owner asked for.
  const mayStart = problems.length === 0 && erasing.running === null;
  if (!mayStart || rows.entries === 0 || !isTypedCount(typed, rows.entries)) {
    c.status(422);
    return c.render(eraseView({ ...erasing, typed }));
  }
  const started = { selection, newestEntryId: erasing.newest, expected: rows.entries, now: now() };
  const erasureId = await startErasure(db, started);
  // Another owner was quicker.
  if (erasureId === null) return showErasing(c);
  await c.var.record("erase-many", { erasureId, entries: rows.entries, ...selectionDetails(selection) });
  logInfo("erasure-confirmed", { erasureId, entries: rows.entries });
  const budget = erasureBudget(app.workersPlan, app.maxSubrequests - OTHER_STATEMENTS, now());
  app.waitUntil(continueErasure(app, budget).catch((error: unknown) => logError("erasure-interrupted", error)));
  // The search cookie may hold an erased address.
  clearSearch(c);
  return c.redirect(`/owner/erasures/${erasureId}`, 303);
}

/** How far an erasure is, or what it did. */
export async function showErasure(c: OwnerContext) {
  const { db, now, timeZone, workersPlan } = c.var.app;
  const found = await findErasure(db, Number(c.req.param("id")));
  if (found === null) return c.notFound();
  const writtenToday = await rowsWrittenToday(db, now());
  return c.render(erasureView({ found, timeZone, plan: workersPlan, writtenToday }));
}

export async function changeErasure(c: OwnerContext) {
  const { db, now } = c.var.app;
  const erasureId = Number(c.req.param("id"));
  if (c.var.form.get("intent") !== "stop") return badRequest(c);
  if (await stopErasure(db, erasureId, now())) await c.var.record("stop-erasing", { erasureId });
  return c.redirect(`/owner/erasures/${erasureId}`, 303);
}

/** @param shown the newest entry when the owner was shown the number: later ones are left alone */
async function readErasing(c: OwnerContext, shown?: number) {
  const { db, now, workersPlan } = c.var.app;
  const { state, selection, problems } = readSelection(c);
  const newest = shown ?? (await newestEntry(db));
  const [running, writtenToday, rows] = await Promise.all([
    findRunningErasure(db),
    rowsWrittenToday(db, now()),
    countErasedRows(db, and(isSelected(db, selection), lte(waitlistEmails.id, newest))),
  ]);
  const plan = erasingPlan(rows, { plan: workersPlan, writtenToday });
  const isWholeList = describeSelection(state.filter, selection.search).length === 0;
  const whole = isWholeList ? ["The whole list cannot be erased here. Filter it, or search it, first."] : [];
  return { state, selection, problems: [...problems, ...whole], newest, running, rows, plan };
}

async function newestEntry(db: Db): Promise<number> {
  const { id } = waitlistEmails;
  const [newest] = await db.select({ id }).from(waitlistEmails).orderBy(desc(id)).limit(1);
  return newest?.id ?? 0;
}
