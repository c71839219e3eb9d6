import { and, asc, eq, sql } from "drizzle-orm";
import { MAX_VIEWS, type SavedView } from "#app/features/entries/views/saved-view.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { insertWhere } from "#app/server/db/insert-where.server.ts";
import { savedViews } from "#app/server/db/schema/saved-views.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

export function listViews(db: Db): Promise<SavedView[]> {
  return db.select().from(savedViews).orderBy(asc(savedViews.id)).limit(MAX_VIEWS);
}

export async function findView(db: Db, id: number): Promise<SavedView | null> {
  const [found] = await db.select().from(savedViews).where(eq(savedViews.id, id));
  return found ?? null;
}

/** Saves a view, unless there are {@link MAX_VIEWS} or one has its name. */
export async function saveView(
  db: Db,
  view: Omit<SavedView, "id">,
  now: EpochMillis,
): Promise<"saved" | "taken" | "too-many"> {
  const hasRoom = sql`(SELECT count(*) FROM saved_views) < ${MAX_VIEWS}`;
  const saved = await insertWhere(db, savedViews, sql`${hasRoom} AND ${isFree(view.name)}`)
    .values({ ...view, created_at: now })
    .returning({ id: savedViews.id });
  if (saved.length > 0) return "saved";
  return (await listViews(db)).length < MAX_VIEWS ? "taken" : "too-many";
}

export async function renameView(db: Db, id: number, name: string): Promise<"renamed" | "taken" | "gone"> {
  const renamed = await db
    .update(savedViews)
    .set({ name })
    .where(and(eq(savedViews.id, id), isFree(name, id)))
    .returning({ id: savedViews.id });
  if (renamed.length > 0) return "renamed";
  return (await findView(db, id)) === null ? "gone" : "taken";
}

/** @returns whether there was such a view */
export async function deleteView(db: Db, id: number): Promise<boolean> {
  return (await db.delete(savedViews).where(eq(savedViews.id, id)).returning({ id: savedViews.id })).length > 0;
}

/** Whether no other view has a name, in any case (of ASCII letters). */
function isFree(name: string, id = 0) {
  return sql`NOT EXISTS (SELECT 1 FROM saved_views AS other WHERE other.name = ${name} COLLATE NOCASE AND other.id <> ${id})`;
}
