import { and, desc, eq, gt, inArray, isNotNull, ne, or, sql } from "drizzle-orm";
import { counted } from "#app/owner/ui/labels.ts";
import type { AttentionItem, OwnerContext } from "#app/owner/ui/owner-context.ts";
import { imports } from "#app/server/db/schema/imports.server.ts";
import type { Millis } from "#app/server/time/units.ts";

/** How long rows that were left out are worth a mention. */
const RECENT: Millis = 7 * 24 * 3_600_000;

/** Imports that stopped by themselves, and recent ones that left rows out. */
export async function importsInNeed(c: OwnerContext): Promise<AttentionItem[]> {
  const { id, file_name, state, stop_reason, finished_at, report } = imports;
  const leftOut = sql<number>`coalesce(${report} ->> 'leftOut', 0)`;
  const hasStopped = and(eq(state, "stopped"), ne(stop_reason, "owner"));
  const isRecent = and(eq(state, "done"), isNotNull(finished_at), gt(finished_at, c.var.app.now() - RECENT));
  const found = await c.var.app.db
    .select({ id, file_name, state, leftOut })
    .from(imports)
    .where(and(inArray(state, ["stopped", "done"]), or(hasStopped, and(isRecent, sql`${leftOut} > 0`))))
    .orderBy(desc(id))
    .limit(3);
  return found.map((one) => ({
    text:
      one.state === "stopped"
        ? `The import of ${one.file_name} has stopped before its end.`
        : `The import of ${one.file_name} left ${counted(one.leftOut, "row", "rows")} out.`,
    action: { label: "See what to fix", about: `in ${one.file_name}`, href: `/owner/import/${one.id}` },
  }));
}
