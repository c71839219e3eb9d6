import type { SQL } from "drizzle-orm";
import type { CheckedBatch } from "#app/email/letters/claim-batches.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";

/** What letters need to know of the series, whose steps are sent as letters to which recipients are added day by day. */
export interface Series {
  /** The letters of the steps whose recipients of today are not all written, in the order of the steps. */
  findDue(): Promise<Letter[]>;
  /** Writes recipients of today. Steps after this one wait until all are written. */
  plan(letter: Letter): Promise<Plan>;
  /** Prepares the letter of a step for sending. */
  prepare(letter: Letter): Promise<StepRules>;
}

/** How the letter of a step is sent now. */
export interface StepRules {
  /** SQL for the branches of a `CASE` that says why someone in `waitlist_emails` is not sent the step. */
  reasons: SQL;
  /** Whether it is before the hour: only batches that the provider may have received are tried again. */
  isQuiet: boolean;
}

/** What {@link Series.plan} wrote. */
export interface Plan {
  isDone: boolean;
  /** Batches that may be sent at once: they are claimed, and their recipients checked. */
  begun: CheckedBatch[];
}
