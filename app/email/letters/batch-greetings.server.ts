import { type SQL, sql } from "drizzle-orm";
import { greetingKeys } from "#app/email/letters/greeting-problems.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { integer } from "#app/server/db/sql-batch.server.ts";

/** What a greeting says to the recipient at a position: answers by question, as JSON. */
export interface FrozenGreeting {
  position: number;
  answers: string;
}

interface CheckedBatches {
  /** The condition on `letter_batches` that they are claimed by this sender. */
  isOurs: SQL;
  /** Their numbers. */
  first: number;
  last: number;
  now: number;
}

/**
 * The statements that store the answers which a letter's greetings use, for batches whose first attempt begins now, and
 * read those of all. None for a letter without greetings.
 */
export function greetingStatements(letter: Letter, { isOurs, first, last, now }: CheckedBatches): SQL[] {
  const keys = keysOf(letter);
  if (keys.length === 0) return [];
  const { id, batch_size: size } = letter;
  const answer = (key: string) => sql`waitlist_emails.answers ->> ${key}`;
  const used = sql`json_object(${sql.join(
    keys.map((key) => sql`${key}, ${answer(key)}`),
    sql`, `,
  )})`;
  const isInRange = (column: SQL) => sql`${column} >= ${first * size} AND ${column} < ${(last + 1) * size}`;
  const store = sql`INSERT INTO letter_greetings (letter_id, position, entry_id, answers)
    SELECT ${id}, member.position, waitlist_emails.id, ${used}
    FROM letter_recipients AS member
    JOIN letter_batches ON ${isOurs} AND letter_batches.first_attempt_at = ${now}
      AND letter_batches.number = member.position / ${integer(size)}
    JOIN waitlist_emails ON waitlist_emails.id = member.entry_id
    WHERE member.letter_id = ${id} AND ${isInRange(sql`member.position`)} AND member.state = 'pending'
      AND (${sql.join(
        keys.map((key) => sql`${answer(key)} IS NOT NULL`),
        sql` OR `,
      )})
    ON CONFLICT DO NOTHING`;
  const read = sql`SELECT position, answers FROM letter_greetings
    WHERE letter_id = ${id} AND ${isInRange(sql`position`)}`;
  return [store, read];
}

/** The statement that deletes the stored answers of recorded batches which the provider cannot receive again as they were. */
export function forgetGreetings(letter: Letter, first: number, last: number): SQL[] {
  if (keysOf(letter).length === 0) return [];
  const { id, batch_size: size } = letter;
  return [
    sql`DELETE FROM letter_greetings
      WHERE letter_id = ${id} AND position >= ${first * size} AND position < ${(last + 1) * size}
      AND position / ${integer(size)} IN (SELECT number FROM letter_batches
        WHERE letter_id = ${id} AND number >= ${first} AND number <= ${last}
        AND (outcome <> 'open' OR first_attempt_at IS NULL))`,
  ];
}

/** How many statements greetings add to those that check and those that record batches. */
export function greetingCosts(letter: Letter): { check: number; record: number } {
  return keysOf(letter).length === 0 ? { check: 0, record: 0 } : { check: 2, record: 1 };
}

function keysOf({ subject, preview_line, body }: Letter): string[] {
  return greetingKeys(`${subject}\n${preview_line}\n${body}`);
}
