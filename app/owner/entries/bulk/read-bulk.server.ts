import { and, lte } from "drizzle-orm";
import { countAffectedRows } from "#app/owner/entries/bulk/affected-rows.server.ts";
import { findRunningBulkAction, rowsWrittenToday } from "#app/owner/entries/bulk/bulk-actions.server.ts";
import { bulkPlan } from "#app/owner/entries/bulk/bulk-plan.server.ts";
import { isConcerned } from "#app/owner/entries/bulk/run-chunks.server.ts";
import { describeSelection } from "#app/owner/entries/describe-selection.ts";
import { readSelection } from "#app/owner/entries/list-handlers.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import type { BulkKind } from "#app/server/db/schema/bulk.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { newestEntry } from "#app/waitlist/list-entries.server.ts";

/** What an owner starts on a page that shows what it would do. */
export type StartedKind = Exclude<BulkKind, "undo">;

/**
 * What an action would do to the entries of the list.
 *
 * @param shown the newest entry when the owner was shown the number: later ones are left alone
 */
export async function readBulk(c: OwnerContext, kind: StartedKind, shown?: number) {
  const { db, now, workersPlan } = c.var.app;
  const { state, selection, problems } = readSelection(c);
  const newest = shown ?? (await newestEntry(db));
  const { search = null, timeZone: time_zone = "UTC", ...filter } = selection;
  const isAffected = isConcerned(db, { kind, undoes: null, filter, search, time_zone }, now());
  const [running, writtenToday, rows] = await Promise.all([
    findRunningBulkAction(db),
    rowsWrittenToday(db, now()),
    countAffectedRows(db, kind, and(isAffected, lte(waitlistEmails.id, newest))),
  ]);
  const plan = bulkPlan(kind, rows, { plan: workersPlan, writtenToday });
  const isWholeList = describeSelection(state.filter, selection.search).length === 0;
  const whole = isWholeList ? [wholeList[kind]] : [];
  return { kind, state, selection, problems: [...problems, ...whole], newest, running, rows, plan };
}

/** Why it does not begin without a filter or a search. */
const wholeList: Record<StartedKind, string> = {
  erase: "The whole list cannot be erased here. Filter it, or search it, first.",
  unsubscribe: "The whole list cannot be unsubscribed here. Filter it, or search it, first.",
};
