import { env } from "cloudflare:test";
import { findBulkAction, startBulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { changeJobs } from "#app/features/entries/bulk/change-jobs.server.ts";
import { countRestorable } from "#app/features/entries/bulk/unsubscribe-many.server.ts";
import { planLimits, type WorkersPlan } from "#app/server/config/plan-limits.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { runJobs } from "#app/server/queue.server.ts";
import type { EntrySelection } from "#app/waitlist/filter/filters.server.ts";
import { countEntries, newestEntry } from "#app/waitlist/filter/list-entries.server.ts";
import { db } from "#tests/support/pool/start.ts";

/** One invocation. */
export async function runBulk(now: number, { plan = "paid" as WorkersPlan, d1 = env.DB } = {}) {
  const limits = planLimits[plan];
  const run = { subrequests: limits.subrequests, until: now + 1 };
  await runJobs({ db: openDb(d1), plan: limits, now: () => now }, [changeJobs], run);
}

/** Starts to unsubscribe the active entries of a selection. @returns the action's id */
export async function startUnsubscribing(selection: EntrySelection, now: number): Promise<number> {
  const { status: _, ...others } = selection;
  const onTheList = (["active", "unconfirmed", "suppressed"] as const).map((status) =>
    countEntries(db, { ...others, status, now }),
  );
  const expected = (await Promise.all(onTheList)).reduce((sum, people) => sum + people, 0);
  const newestEntryId = await newestEntry(db);
  return (await startBulkAction(db, { kind: "unsubscribe", selection, newestEntryId, expected, now })) ?? 0;
}

/** Starts to undo an action. @returns the id of the undoing one */
export async function startUndo(undoes: number, now: number): Promise<number> {
  const expected = await countRestorable(db, undoes, now);
  const newestEntryId = await newestEntry(db);
  return (await startBulkAction(db, { kind: "undo", undoes, selection: {}, newestEntryId, expected, now })) ?? 0;
}

/** Runs an action to its end. */
export async function finishBulk(id: number, now: number): Promise<void> {
  for (let runs = 0; (await findBulkAction(db, id))?.state === "running"; runs += 1) {
    if (runs > 100) throw new Error("the action does not end");
    await runBulk(now);
  }
}
