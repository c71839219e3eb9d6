import { MAX_RESENDS, REPEAT_INTERVAL, type RepeatOutcome } from "#app/email/requeue.server.ts";
import { sendEmail } from "#app/email/sender.server.ts";
import type { AppContext } from "#app/server/context.ts";
import { MINUTE } from "#app/server/time/units.ts";

/** Sends at once what was queued again; if that fails, the cron job tries again. @returns a name of {@link repeatOutcomes} */
export async function sendRepeated(app: AppContext, outcome: RepeatOutcome): Promise<keyof typeof repeatOutcomes> {
  if (outcome.kind !== "queued") return `repeat-${outcome.kind}`;
  return (await sendEmail(app, { id: outcome.id })) === "done" ? "repeated" : "repeat-failed";
}

export const repeatOutcomes = {
  repeated: "The email is queued again. It is sent now, or as soon as the send limit allows.",
  "repeat-failed":
    "The email has not been sent yet. The reason is below. It will be retried, unless it has failed for good.",
  "repeat-limit": `The same email can be sent again at most ${MAX_RESENDS} times in 24 hours. Nothing was changed.`,
  "repeat-recent": `This email waits to be sent, or was queued less than ${REPEAT_INTERVAL / MINUTE} minutes ago. It is not sent twice.`,
  "repeat-refused": "This person may not be sent this email now. Nothing was changed.",
};
