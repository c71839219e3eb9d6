import type { Db } from "#app/server/db/client.server.ts";
import type { Answers } from "#app/server/db/schema/entries.server.ts";

/** A sign-up that was taken earlier, and that another part of the site answers for. It is added once. */
export interface Vouched {
  /** Adds the entry, and resolves to the rows of its statements. */
  addBatch: (db: Db, values: Record<string, unknown>) => Promise<unknown[][]>;
  /** The values of its first statements' placeholders. */
  values: Record<string, unknown>;
  /** When the person joined (milliseconds since 1970). Emails and limits go by the present time. */
  joinedAt: number;
  answers: Answers;
  /** What is stored with its email. */
  emailData: object;
}
