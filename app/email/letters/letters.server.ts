import { and, desc, eq, inArray, isNull, lt, type SQL } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/server/db/client.server.ts";
import { letters } from "#app/server/db/schema/letters.server.ts";

export type Letter = typeof letters.$inferSelect;

/** What the owner writes, and to whom. */
export type LetterDraft = Pick<
  Letter,
  "subject" | "preview_line" | "body" | "reply_to" | "audience" | "is_invitation" | "is_public"
>;

const EMPTY: LetterDraft = {
  subject: "",
  preview_line: "",
  body: "",
  reply_to: null,
  audience: { filter: {} },
  is_invitation: false,
  is_public: false,
};

/** @returns the draft's id */
export async function createLetter(db: Db, draft: Partial<LetterDraft>, now: number): Promise<number> {
  const row = { ...EMPTY, ...draft, key: randomKey(), created_at: now, updated_at: now };
  const [created] = await db.insert(letters).values(row).returning({ id: letters.id });
  if (created === undefined) throw new Error("D1 did not insert the letter");
  return created.id;
}

export function randomKey(): string {
  return crypto.randomUUID().replaceAll("-", "");
}

export async function findLetter(db: Db, id: number): Promise<Letter | null> {
  const [letter] = await db.select().from(letters).where(eq(letters.id, id));
  return letter ?? null;
}

/**
 * Letters in some states, newest first. Not those that were sent as steps of the series.
 *
 * @param skipped how many of the newest are left out
 * @param before only letters that were written before the one with this id
 */
export async function listLetters(
  db: Db,
  {
    states,
    limit,
    skipped = 0,
    before,
  }: { states: readonly Letter["state"][]; limit: number; skipped?: number; before?: number | undefined },
): Promise<Letter[]> {
  return db
    .select()
    .from(letters)
    .where(
      and(
        inArray(letters.state, [...states]),
        isNull(letters.step_id),
        before === undefined ? undefined : lt(letters.id, before),
      ),
    )
    .orderBy(desc(letters.id))
    .limit(limit)
    .offset(skipped);
}

/** Changes a letter that fulfils a condition. @returns whether anything changed */
export async function changeLetter(
  db: Db,
  id: number,
  condition: SQL | undefined,
  changes: SQLiteUpdateSetSource<typeof letters>,
): Promise<boolean> {
  const isThis = and(eq(letters.id, id), condition);
  return (await db.update(letters).set(changes).where(isThis).returning({ id: letters.id })).length > 0;
}

/**
 * Changes a draft. Letters that are scheduled or were started cannot be changed.
 *
 * @returns whether it is a draft
 */
export function updateLetter(db: Db, id: number, changes: Partial<LetterDraft>, now: number): Promise<boolean> {
  // A schedule that was missed is no news any more.
  return changeLetter(db, id, eq(letters.state, "draft"), { ...changes, updated_at: now, scheduled_for: null });
}

/** @returns whether it was a draft; other letters are kept, with their numbers */
export async function deleteLetter(db: Db, id: number): Promise<boolean> {
  const deleted = await db
    .delete(letters)
    .where(and(eq(letters.id, id), eq(letters.state, "draft")))
    .returning({ id: letters.id });
  return deleted.length > 0;
}

/**
 * Lists a letter at /letters, or no longer. Possible in every state; emails that were sent keep their link to it.
 *
 * @returns whether anything changed
 */
export function setLetterPublic(db: Db, id: number, isPublic: boolean): Promise<boolean> {
  return changeLetter(db, id, eq(letters.is_public, !isPublic), { is_public: isPublic });
}
