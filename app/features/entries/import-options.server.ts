import { desc, eq, inArray, or, sql } from "drizzle-orm";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { imports } from "#app/server/db/schema/imports.server.ts";

const LISTED_IMPORTS = 20;

/** What the filter by import offers: any import, none, or one of the newest that have started, and the chosen one. */
export async function importOptions(c: OwnerContext, chosen: string | null): Promise<[value: string, text: string][]> {
  const { db, timeZone } = c.var.app;
  const { id, file_name, state, confirmed_at, created_at } = imports;
  const isChosen = eq(id, Number(chosen) || 0);
  const found = await db
    .select({ id, file_name, started_at: sql<number>`coalesce(${confirmed_at}, ${created_at})` })
    .from(imports)
    .where(or(inArray(state, ["running", "done", "stopped"]), isChosen))
    .orderBy(desc(isChosen), desc(id))
    .limit(LISTED_IMPORTS);
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone });
  const newestFirst = found.toSorted((one, other) => other.id - one.id);
  return [
    ["yes", "Yes"],
    ["no", "No"],
    ...newestFirst.map((row): [string, string] => [`${row.id}`, `${row.file_name}, ${day.format(row.started_at)}`]),
  ];
}
