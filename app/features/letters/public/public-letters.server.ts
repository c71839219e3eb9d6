import { and, asc, desc, eq, sql } from "drizzle-orm";
import { isLetterPath, letterPath } from "#app/features/letters/public/page.ts";
import type { Letter } from "#app/features/letters/send/letters.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { letters } from "#app/server/db/schema/letters.server.ts";
import { shorten } from "#app/server/shorten.ts";
import { type BritishDate, britishDate } from "#app/server/time/british-date.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { fillGreetings } from "#app/waitlist/questions/greetings.server.ts";

/** How many letters the sitemap and the feed have, the newest. At one a month, those of more than eight years. */
const MAX_LISTED = 100;

const PAGE_SIZE = 20;

export interface ListedLetter {
  path: `/${string}`;
  subject: string;
  previewLine: string;
  date: BritishDate;
  /** ISO 8601, in UTC. */
  sentAt: string;
}

const isPublic = sql`${letters.is_public} = 1 AND ${letters.started_at} IS NOT NULL`;

const listed = {
  id: letters.id,
  subject: letters.subject,
  preview_line: letters.preview_line,
  startedAt: sql<EpochMillis>`${letters.started_at}`,
};

export async function listPublicLetters(db: Db, limit = MAX_LISTED, offset = 0): Promise<ListedLetter[]> {
  const found = await db
    .select(listed)
    .from(letters)
    .where(isPublic)
    .orderBy(desc(letters.started_at), desc(letters.id))
    .limit(limit)
    .offset(offset);
  return found.map(toListed);
}

/** Characters of a first line, which is cut between two words. */
const MAX_FIRST_LINE = 120;

/** Characters of a body that are read for its first line. */
const READ_FOR_LINE = 2_000;

/** The newest letter with its preview line, or else the first line of its text. */
export async function findNewestLetter(db: Db): Promise<(ListedLetter & { firstLine: string }) | null> {
  const [found] = await db
    .select({ ...listed, beginning: sql<string>`substr(${letters.body}, 1, ${READ_FOR_LINE})` })
    .from(letters)
    .where(isPublic)
    .orderBy(desc(letters.started_at), desc(letters.id))
    .limit(1);
  if (found === undefined) return null;
  const letter = toListed(found);
  if (letter.previewLine !== "") return { ...letter, firstLine: shorten(letter.previewLine, MAX_FIRST_LINE) };
  // On demand, with the Markdown parser.
  const { readFirstLine } = await import("#app/features/letters/public/first-line.server.ts");
  return { ...letter, firstLine: shorten(readFirstLine(found.beginning), MAX_FIRST_LINE) };
}

/** A page of the list, counted from 1, and whether there are older letters. */
export async function readLetterList(db: Db, page: number): Promise<{ letters: ListedLetter[]; hasOlder: boolean }> {
  const found = await listPublicLetters(db, PAGE_SIZE + 1, (page - 1) * PAGE_SIZE);
  return { letters: found.slice(0, PAGE_SIZE), hasOlder: found.length > PAGE_SIZE };
}

export async function findPublicLetter(db: Db, id: string, siteUrl: string) {
  const found = await findPublicBody(db, id);
  if (found === null) return null;
  const { body, ...letter } = found;
  const { readPublicBody } = await import("#app/features/letters/public/read-body.server.ts");
  const picturesPath = `${letterPath(letter.id)}/pictures`;
  const [blocks, neighbours] = await Promise.all([
    readPublicBody(body, siteUrl, picturesPath),
    findNeighbours(db, letter),
  ]);
  return { ...toListed(letter), blocks, ...neighbours };
}

/** The public letters that were sent just before and just after another; null if there is none. */
async function findNeighbours(db: Db, { id, startedAt }: { id: number; startedAt: EpochMillis }) {
  const { started_at } = letters;
  const [[older], [newer]] = await db.batch([
    db
      .select(listed)
      .from(letters)
      .where(and(isPublic, sql`(${started_at}, ${letters.id}) < (${startedAt}, ${id})`))
      .orderBy(desc(started_at), desc(letters.id))
      .limit(1),
    db
      .select(listed)
      .from(letters)
      .where(and(isPublic, sql`(${started_at}, ${letters.id}) > (${startedAt}, ${id})`))
      .orderBy(asc(started_at), asc(letters.id))
      .limit(1),
  ]);
  return { older: older ? toListed(older) : null, newer: newer ? toListed(newer) : null };
}

/** Null if there is no public letter with this id. @param id from a URL */
export async function findPublicBody(db: Db, id: string) {
  if (!isLetterPath(`/letters/${id}`)) return null;
  const [found] = await db
    .select({ ...listed, body: letters.body })
    .from(letters)
    .where(and(isPublic, eq(letters.id, Number(id))));
  return found ?? null;
}

function toListed(letter: Pick<Letter, "id" | "subject" | "preview_line"> & { startedAt: EpochMillis }): ListedLetter {
  const { id, subject, preview_line, startedAt } = letter;
  // Strangers read what people without an answer do.
  return {
    path: letterPath(id),
    subject: fillGreetings(subject, null),
    previewLine: fillGreetings(preview_line, null),
    date: britishDate(startedAt),
    sentAt: new Date(startedAt).toISOString(),
  };
}
