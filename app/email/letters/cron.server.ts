import type { AppContext, CronRun } from "#app/context.ts";
import { OTHER_SUBREQUESTS } from "#app/email/deliver.server.ts";
import { hasDueLetters } from "#app/email/letters/due-letters.server.ts";
import { maxSubrequests } from "#app/server/plan-limits.ts";

/** Sends the letters that are due until the run ends. */
export async function sendDueLetters(app: AppContext, { subrequests, until }: CronRun): Promise<void> {
  if (!(await hasDueLetters(app.db, app.now()))) return;
  const { sendLetters } = await import("#app/email/letters/send-letters.server.ts");
  // Deployed sites send letters on the paid plan only, and local ones have no limits.
  const free = app.workersPlan === "free" ? maxSubrequests.paid - maxSubrequests.free : 0;
  await sendLetters(app, { subrequests: subrequests + free - OTHER_SUBREQUESTS, until });
}
