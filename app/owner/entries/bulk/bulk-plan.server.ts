import { type AffectedRows, rowsToWrite } from "#app/owner/entries/bulk/affected-rows.server.ts";
import { CHANGED_AT_ONCE } from "#app/owner/entries/bulk/run-chunks.server.ts";
import { counted, formatNumber } from "#app/owner/ui/labels.ts";
import type { BulkKind } from "#app/server/db/schema/bulk.server.ts";
import { maxBulkWrites, type WorkersPlan } from "#app/server/plan-limits.ts";

export interface BulkPlan {
  plan: WorkersPlan;
  /** Rows that D1 counts as written. */
  rows: number;
  /** On how many days (UTC) it changes entries; the plan's rows of a day may be used up in between. */
  days: number;
}

/** @param writtenToday rows that other bulk actions have written today */
export function bulkPlan(
  kind: BulkKind,
  rows: AffectedRows,
  { plan, writtenToday }: { plan: WorkersPlan; writtenToday: number },
): BulkPlan {
  const written = rowsToWrite(kind, rows);
  return { plan, rows: written, days: Math.max(1, Math.ceil((writtenToday + written) / maxBulkWrites[plan])) };
}

/** How long it takes, in words. */
export function describePlan({ plan, rows, days }: BulkPlan, entries: number): string {
  if (plan === "paid") {
    return entries <= AT_ONCE_ON_PAID ? "About a minute" : "Some minutes, or hours while many emails are being sent";
  }
  const written = `Advanced: it writes up to ${formatNumber(rows)} rows to the database`;
  if (days === 1) {
    const minutes = counted(Math.ceil(entries / CHANGED_AT_ONCE), "minute", "minutes");
    return `About ${minutes}.\n${written}, of the 100,000 a day that the free plan includes.`;
  }
  return `Up to ${days} days, so that the database can still store people who sign up.\n${written}, and at most ${formatNumber(maxBulkWrites.free)} a day of the 100,000 that the free plan includes.`;
}

/** What one invocation on the paid plan changes. Emails may leave the cron job no more than two chunks a minute. */
const AT_ONCE_ON_PAID = 60_000;
