import type { Addition } from "#app/server/context.ts";
import type { Answers } from "#app/server/db/schema/entries.server.ts";

/** A sign-up that was taken earlier, and that another part of the site answers for. It is added once. */
export interface TrustedSignUp extends Addition {
  /** When the person joined (milliseconds since 1970). Emails and limits go by the present time. */
  joinedAt: number;
  answers: Answers;
  emailData: object;
}
