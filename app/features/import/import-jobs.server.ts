import { and, eq, sql } from "drizzle-orm";
import type { ImportDeps } from "#app/features/import/import-rows.server.ts";
import { imports } from "#app/server/db/schema/imports.server.ts";
import type { JobHandler } from "#app/server/queue.server.ts";

/** Imports the people of a file that an owner has confirmed, chunk by chunk. After three failures the owner is asked. */
export const importJobs: JobHandler<ImportDeps> = {
  kind: "import",
  subjects: sql`SELECT id FROM imports WHERE state = 'running'`,
  // Read, add people, withdraw emails, fill in answers, queue emails, advance, record, delete the chunk.
  statements: 8,
  maxAttempts: 3,
  async work(deps, job) {
    // On demand, because imports are rare; after the attempt was counted, because loading takes CPU time.
    const { importNextRows } = await import("#app/features/import/import-rows.server.ts");
    await importNextRows(deps, job);
  },
  giveUp: (db, { subject }, reason, now) => [
    db
      .update(imports)
      .set({ state: "stopped", stop_reason: reason, finished_at: now })
      .where(and(eq(imports.id, subject), eq(imports.state, "running"))),
  ],
};
