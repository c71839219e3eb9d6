import { asc, eq } from "drizzle-orm";
import type { CleanPicture } from "#app/owner/pictures/picture-bytes.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { picturePieces, pictures } from "#app/server/db/schema/pictures.server.ts";
import { type NamedSql, runBatch } from "#app/server/db/sql-batch.server.ts";
import { DAY, type EpochMillis } from "#app/server/time/units.ts";

/** Characters, a multiple of four. With the rest of its statement less than the 100 KB that D1 accepts. */
const PIECE_LENGTH = 64_000;

export type Picture = typeof pictures.$inferSelect;

/** Stores a picture, all of it or nothing. It counts as unused from now on. */
export async function addPicture(db: Db, picture: CleanPicture & { alt: string }, now: EpochMillis): Promise<Picture> {
  const { bytes, ...described } = picture;
  const key = newKey();
  const row = { ...described, key, size: bytes.byteLength, created_at: now, checked_at: now, unused_since: now };
  const text = bytes.toBase64();
  const count = Math.ceil(text.length / PIECE_LENGTH);
  const pieces = Array.from({ length: count }, (_, number) =>
    db.insert(picturePieces).values({
      picture_key: key,
      number,
      data: text.slice(number * PIECE_LENGTH, (number + 1) * PIECE_LENGTH),
    }),
  );
  await db.batch([db.insert(pictures).values(row), ...pieces]);
  return row;
}

function newKey(): string {
  return crypto.getRandomValues(new Uint8Array(16)).toHex();
}

/** A picture with its bytes; null if there is none. */
export async function findPicture(db: Db, key: string) {
  const [[picture], pieces] = await db.batch([
    db.select().from(pictures).where(eq(pictures.key, key)),
    db
      .select({ data: picturePieces.data })
      .from(picturePieces)
      .where(eq(picturePieces.picture_key, key))
      .orderBy(asc(picturePieces.number)),
  ]);
  if (picture === undefined) return null;
  return { ...picture, bytes: Uint8Array.fromBase64(pieces.map(({ data }) => data).join("")) };
}

/**
 * The condition that a picture's key occurs in anything that shows it. The texts are read in this order until one has it.
 * The wording of emails cannot have pictures.
 */
export const isPictureUsed = `(
  EXISTS (SELECT 1 FROM letters WHERE instr(letters.body, pictures.key) > 0)
  OR EXISTS (SELECT 1 FROM series_steps WHERE instr(series_steps.body, pictures.key) > 0)
  OR EXISTS (SELECT 1 FROM settings WHERE instr(settings.stored, pictures.key) > 0)
)`;

/** The same, or whether an earlier version of a text has it, which can be brought back. */
const isKept = `(${isPictureUsed} OR EXISTS (SELECT 1 FROM saved_versions WHERE instr(saved_versions.fields, pictures.key) > 0))`;

/** Days after which a picture that nothing shows is deleted. */
export const UNUSED_DAYS = 30;

/** Pictures that one run looks for: each is looked for in all texts, once a day if there are no more than 100. */
const CHECKED_AT_ONCE = 25;

/** Notes which pictures are used, and deletes those that have not been for {@link UNUSED_DAYS}. @returns how many */
export async function deleteUnusedPictures(db: Db, now: EpochMillis): Promise<number> {
  // Those that were checked the longest ago. A letter that was deleted since the last check leaves its pictures unused from
  // now on, so they stay for the full time.
  const check: NamedSql = {
    text: `UPDATE pictures
      SET checked_at = :now, unused_since = CASE WHEN ${isKept} THEN NULL ELSE coalesce(unused_since, :now) END
      WHERE key IN (
        SELECT key FROM pictures WHERE checked_at <= :yesterday ORDER BY checked_at LIMIT ${CHECKED_AT_ONCE}
      )`,
    values: { now, yesterday: now - DAY },
  };
  // Only those that the statement above has just looked for.
  const remove: NamedSql = {
    text: "DELETE FROM pictures WHERE unused_since <= :oldest AND checked_at = :now RETURNING key",
    values: { now, oldest: now - UNUSED_DAYS * DAY },
  };
  const [, deleted] = await runBatch<[unknown[], unknown[]]>(db, [check, remove]);
  return deleted.length;
}
