import type { Import } from "#app/features/import/imports.server.ts";

type Progress = Pick<Import, "position" | "chunks" | "rows" | "rows_done" | "added" | "suppressed">;

/** How many rows of a running import are done, about: chunks have about as many rows, and the last one has fewer. */
export function rowsDone({ position, chunks, rows, rows_done, added, suppressed }: Progress): number {
  const estimate = Math.floor((position / chunks) * rows) + rows_done;
  return Math.min(rows, Math.max(estimate, added + suppressed));
}

export function percentDone(found: Progress): number {
  return Math.floor((rowsDone(found) / Math.max(1, found.rows)) * 100);
}
