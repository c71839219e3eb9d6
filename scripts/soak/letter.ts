import { DatabaseSync } from "node:sqlite";
import { addLetter } from "#scripts/lib/seed-letter.ts";

interface LetterSoak {
  /** Changes the database while nothing runs, then fires the cron trigger. */
  sweepAfter(change: () => void): Promise<void>;
  /** Some of these people leave. */
  leave(emails: string[]): Promise<void>;
}

/** Runs of the cron job without progress before the rest counts as lost: each batch fails once in three. */
const MAX_IDLE_RUNS = 15;

/**
 * Sends a letter to everyone on the list. People leave while their batches wait for another attempt.
 *
 * @returns its recipients, except those whose entry was erased
 */
export async function soakLetter(file: string, { sweepAfter, leave }: LetterSoak): Promise<Record<string, unknown>[]> {
  await sweepAfter(() => addLetter(file, 0));
  await leave(recipientsOf(file).map(({ email }) => String(email)));
  for (let [idle, settled] = [0, 0]; idle < MAX_IDLE_RUNS && isWaiting(file); ) {
    await sweepAfter(() => skipHours(file));
    const now = recipientsOf(file).filter(({ state }) => state !== "pending").length;
    idle = now > settled ? 0 : idle + 1;
    settled = now;
  }
  return recipientsOf(file);
}

/** Skips the time until the next attempts. The owner resumes the letter where it paused itself. */
function skipHours(file: string): void {
  using database = open(file);
  database.exec(`UPDATE letter_batches SET next_attempt_at = 0, leased_until = 0;
    UPDATE email_pauses SET until = ${Date.now()};
    UPDATE letters SET state = 'sending', pause_reason = NULL, resumes_at = NULL, fault = NULL WHERE state = 'paused'`);
}

const isWaiting = (file: string) => recipientsOf(file).some(({ state }) => state === "pending");

function recipientsOf(file: string): Record<string, unknown>[] {
  using database = open(file);
  return database
    .prepare("SELECT email, state FROM letter_recipients JOIN waitlist_emails ON waitlist_emails.id = entry_id")
    .all();
}

function open(file: string): DatabaseSync {
  // A runtime may hold its locks a moment longer than Wrangler lives.
  return new DatabaseSync(file, { timeout: 5_000 });
}
