import { ERASED_AT_ONCE } from "#app/owner/entries/erase-many/erase-chunks.server.ts";
import { type ErasedRows, rowsToErase } from "#app/owner/entries/erase-many/erased-rows.server.ts";
import { counted, formatNumber } from "#app/owner/ui/labels.ts";
import { maxEraseWrites, type WorkersPlan } from "#app/server/plan-limits.ts";

export interface ErasingPlan {
  plan: WorkersPlan;
  /** Rows that D1 counts as written. */
  rows: number;
  /** On how many days (UTC) it erases; the plan's rows of a day may be used up in between. */
  days: number;
}

/** @param writtenToday rows that other erasures have written today */
export function erasingPlan(
  rows: ErasedRows,
  { plan, writtenToday }: { plan: WorkersPlan; writtenToday: number },
): ErasingPlan {
  const written = rowsToErase(rows);
  return { plan, rows: written, days: Math.max(1, Math.ceil((writtenToday + written) / maxEraseWrites[plan])) };
}

/** How long it takes, in words. */
export function describePlan({ plan, rows, days }: ErasingPlan, entries: number): string {
  const minutes = counted(Math.ceil(entries / ERASED_A_MINUTE[plan]), "minute", "minutes");
  if (plan === "paid") return `About ${minutes}`;
  const written = `It writes up to ${formatNumber(rows)} rows to the database`;
  if (days === 1) return `About ${minutes}. ${written}, of the 100,000 a day that the free plan includes.`;
  return `Up to ${days} days. ${written}, and at most ${formatNumber(maxEraseWrites.free)} a day of the 100,000 that the free plan includes, so that people can still sign up.`;
}

/** On the free plan one chunk; on the paid one fewer than fit into a run. */
const ERASED_A_MINUTE: Record<WorkersPlan, number> = { free: ERASED_AT_ONCE, paid: 40 * ERASED_AT_ONCE };
