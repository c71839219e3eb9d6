import { desc } from "drizzle-orm";
import { isPictureUsed, type Picture } from "#app/owner/pictures/pictures.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { pictures } from "#app/server/db/schema/pictures.server.ts";
import { runBatch } from "#app/server/db/sql-batch.server.ts";

/** A part of all pictures, the newest first. */
export function listPictures(db: Db, { limit, skipped }: { limit: number; skipped: number }): Promise<Picture[]> {
  return db.select().from(pictures).orderBy(desc(pictures.created_at), desc(pictures.key)).limit(limit).offset(skipped);
}

/** Deletes a picture that nothing shows. False if something does, or there is none. */
export async function deletePicture(db: Db, key: string): Promise<boolean> {
  const text = `DELETE FROM pictures WHERE key = :key AND NOT ${isPictureUsed} RETURNING key`;
  const [deleted = []] = await runBatch<[unknown[]]>(db, [{ text, values: { key } }]);
  return deleted.length > 0;
}
