import { and, desc, eq, getTableColumns, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Pause } from "#app/email/pauses.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { type LetterState, letters } from "#app/server/db/schema/letters.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

export type Letter = typeof letters.$inferSelect;

/**
 * A query for what makes a letter's emails wait. Those of a step that was switched off or changed are only confirmed, and go
 * on. Past pauses of letters are deleted before letters are sent.
 */
export const PAUSES_OF_LETTER = `SELECT 1 FROM email_pauses WHERE (letters.step_id IS NULL OR letters.queued_at IS NULL)
    AND (scope = 'letter' AND email_pauses.letter_id = letters.id OR scope = 'follow-ups' AND letters.step_id IS NOT NULL)`;

/** Whether a letter has something to send. A step of the series is `sending` from day to day. */
export const isSending = sql`(letters.state = 'sending' AND NOT EXISTS (${sql.raw(PAUSES_OF_LETTER)})
  AND (letters.step_id IS NULL OR EXISTS (
    SELECT 1 FROM letter_batches INDEXED BY letter_batches_waiting
    WHERE letter_id = letters.id AND done_at IS NULL AND dead_at IS NULL)))`;

/** A letter with why its emails wait: what waits for the owner comes first. */
export type ShownLetter = Letter & { pause: Pause | null };

/** `paused` is a letter that is being sent, and waits. */
export function shownState({ state, pause }: ShownLetter): LetterState | "paused" {
  return state === "sending" && pause !== null ? "paused" : state;
}

/** The columns of {@link ShownLetter}. */
export const shown = {
  ...getTableColumns(letters),
  pause:
    sql`(SELECT json_object('reason', reason, 'until', until) FROM (${sql.raw(PAUSES_OF_LETTER.replace("SELECT 1", "SELECT reason, until, created_at"))}
    ORDER BY until IS NOT NULL, until DESC, created_at DESC LIMIT 1))`.mapWith(JSON.parse) as SQL<Pause | null>,
};

export type LetterDraft = Pick<
  Letter,
  "subject" | "preview_line" | "body" | "reply_to" | "audience" | "is_invitation" | "is_public"
>;

export async function createLetter(db: Db, draft: Partial<LetterDraft>, now: EpochMillis): Promise<number> {
  const empty = { subject: "", preview_line: "", body: "", audience: { filter: {} } };
  const row = { ...empty, ...draft, key: randomKey(), created_at: now, updated_at: now };
  const [created] = await db.insert(letters).values(row).returning({ id: letters.id });
  if (created === undefined) throw new Error("D1 did not insert the letter");
  return created.id;
}

export function randomKey(): string {
  return crypto.randomUUID().replaceAll("-", "");
}

export async function findLetter(db: Db, id: number): Promise<ShownLetter | null> {
  const [letter] = await db.select(shown).from(letters).where(eq(letters.id, id));
  return letter ?? null;
}

interface LetterRange {
  states: readonly LetterState[];
  limit: number;
  /** How many of the newest are left out. */
  skipped?: number;
  /** Only letters that were written before the one with this id. */
  before?: number | undefined;
}

/** Letters in some states, newest first. Not those that were sent as steps of the series. */
export async function listLetters(db: Db, range: LetterRange): Promise<ShownLetter[]> {
  const { states, limit, skipped = 0, before } = range;
  const isOlder = before === undefined ? undefined : lt(letters.id, before);
  return db
    .select(shown)
    .from(letters)
    .where(and(inArray(letters.state, [...states]), isNull(letters.step_id), isOlder))
    .orderBy(desc(letters.id))
    .limit(limit)
    .offset(skipped);
}

/** @returns whether the letter meets the condition, so that it was changed */
export async function updateLetterIf(
  db: Db,
  id: number,
  condition: SQL | undefined,
  changes: SQLiteUpdateSetSource<typeof letters>,
): Promise<boolean> {
  const isThis = and(eq(letters.id, id), condition);
  return (await db.update(letters).set(changes).where(isThis).returning({ id: letters.id })).length > 0;
}

/** Letters that are scheduled or were started cannot be changed. @returns whether it is a draft */
export function updateLetter(db: Db, id: number, changes: Partial<LetterDraft>, now: EpochMillis): Promise<boolean> {
  // A schedule that was missed is no news any more.
  return updateLetterIf(db, id, eq(letters.state, "draft"), { ...changes, updated_at: now, scheduled_for: null });
}

/** @returns whether it was a draft; other letters are kept, with their numbers */
export async function deleteLetter(db: Db, id: number): Promise<boolean> {
  const deleted = await db
    .delete(letters)
    .where(and(eq(letters.id, id), eq(letters.state, "draft")))
    .returning({ id: letters.id });
  return deleted.length > 0;
}

/** Possible in every state; emails that were sent keep their link to it. @returns whether anything changed */
export function setLetterPublic(db: Db, id: number, isPublic: boolean): Promise<boolean> {
  return updateLetterIf(db, id, eq(letters.is_public, !isPublic), { is_public: isPublic });
}

/** The statement that ends the pauses of a letter, and of all follow-ups if it is one of them. */
export function resumeLetters(letter: SQL): SQL {
  return sql`DELETE FROM email_pauses WHERE scope IN ('letter', 'follow-ups') AND letter_id IN (SELECT id FROM letters WHERE ${letter})
    RETURNING letter_id`;
}

/** A parameter for divisions: D1 binds every number as a floating-point one. */
export function integer(value: number): SQL {
  return sql`CAST(${value} AS INTEGER)`;
}
