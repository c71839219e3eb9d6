import { and, desc, eq, getTableColumns, inArray, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Pause } from "#app/email/pauses.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { type LetterState, letters } from "#app/server/db/schema/letters.server.ts";
import { savedVersions } from "#app/server/db/schema/owner.server.ts";
import { type NamedSql, runBatch } from "#app/server/db/sql-batch.server.ts";
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

/** Whether a scheduled letter waits for its owner, since its audience is not as they confirmed it. */
export const hasAudiencePause = sql`EXISTS (SELECT 1 FROM email_pauses
  WHERE scope = 'letter' AND email_pauses.letter_id = letters.id AND reason = 'audience-changed')`;

/** The condition on scheduled letters whose time has come. */
export function isDueToStart(now: EpochMillis): SQL {
  return sql`(letters.state = 'scheduled' AND letters.scheduled_for <= ${now} AND NOT ${hasAudiencePause})`;
}

/** A letter with why its emails wait: what waits for the owner comes first. */
export type ShownLetter = Letter & { pause: Pause | null };

/** `paused` is a letter that is being sent, or should have started, and waits. */
export function shownState({ state, pause }: ShownLetter): LetterState | "paused" {
  return (state === "sending" || state === "scheduled") && pause !== null ? "paused" : state;
}

/**
 * Whether a draft could not be started at its time: it became a draft again after that. One whose schedule was cancelled
 * became one before, and keeps the time, which the owner may choose again.
 */
export const isMissed = sql<boolean>`(${letters.state} = 'draft' AND ${letters.scheduled_for} <= ${letters.updated_at})`;

/** When a draft was to be sent: at a time that was missed, or at one that the owner cancelled; null without either. */
export function draftTimes({ state, scheduled_for: at, updated_at }: Letter) {
  const time = state === "draft" ? at : null;
  const wasMissed = time !== null && time <= updated_at;
  return { missed: wasMissed ? time : null, cancelled: wasMissed ? null : time };
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

/** @throws if there is a letter with that key, such as one whose form was posted twice at once */
export async function createLetter(
  db: Db,
  draft: Partial<LetterDraft>,
  now: EpochMillis,
  key = randomKey(),
): Promise<number> {
  const empty = { subject: "", preview_line: "", body: "", audience: { filter: {} } };
  const row = { ...empty, ...draft, key, created_at: now, updated_at: now };
  const [created] = await db.insert(letters).values(row).onConflictDoNothing().returning({ id: letters.id });
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

export async function findLetterByKey(db: Db, key: string): Promise<ShownLetter | null> {
  const [letter] = await db.select(shown).from(letters).where(eq(letters.key, key));
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

/**
 * Changes a draft. Letters that are scheduled or were started cannot be changed.
 *
 * @param letter as it was read
 * @param before statements for the same batch, which go before the change
 * @returns whether it is still a draft and as it was read
 */
export async function updateLetter(
  db: Db,
  { id, updated_at }: Pick<Letter, "id" | "updated_at">,
  changes: Partial<LetterDraft>,
  now: EpochMillis,
  before: (isUnchanged: SQL) => NamedSql[] = () => [],
): Promise<boolean> {
  const isUnchanged = sql`EXISTS (SELECT 1 FROM letters WHERE id = ${id} AND state = 'draft' AND updated_at = ${updated_at})`;
  // A schedule that was missed is no news any more, and a time that has passed is no choice any more.
  const scheduled_for = sql`iif(${letters.scheduled_for} > ${now}, ${letters.scheduled_for}, NULL)`;
  const change = db
    .update(letters)
    // Later than the last change, even if the clock has not moved on.
    .set({ ...changes, updated_at: Math.max(now, updated_at + 1), scheduled_for })
    .where(and(eq(letters.id, id), eq(letters.state, "draft"), eq(letters.updated_at, updated_at)))
    .returning({ id: letters.id });
  const results = await runBatch(db, [...before(isUnchanged), change.getSQL()]);
  return (results.at(-1) ?? []).length > 0;
}

/** With what was saved of it before. @returns whether it was a draft; other letters are kept, with their numbers */
export async function deleteLetter(db: Db, id: number): Promise<boolean> {
  const isGone = sql`NOT EXISTS (SELECT 1 FROM letters WHERE id = ${id})`;
  const path = letterPath(id);
  const [deleted] = await db.batch([
    db
      .delete(letters)
      .where(and(eq(letters.id, id), eq(letters.state, "draft")))
      .returning({ id: letters.id }),
    db
      .delete(savedVersions)
      .where(and(or(eq(savedVersions.path, path), eq(savedVersions.path, `${path}/audience`)), isGone)),
  ]);
  return deleted.length > 0;
}

/** The owner's page of a letter. */
export function letterPath(id: number): string {
  return `/owner/letters/${id}`;
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
