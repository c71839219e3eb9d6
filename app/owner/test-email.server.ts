import { retryNow } from "#app/email/pauses.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { emailReasonText, reasonSettings } from "#app/server/db/email-reasons.ts";
import { type LogFields, logInfo } from "#app/server/log.ts";
import type { EmailMessage } from "#app/server/mailer.server.ts";

/** What begins the subject of a test. */
export const TEST_MARK = "[Test] ";

/**
 * Sends a test at once and outside the outbox: the page says what came of it. If the provider accepts it, paused email is
 * tried again.
 *
 * @param event its name in the console's log
 * @returns `problem` is null if the test was sent, or else why not, in a sentence, perhaps with a line that begins with
 *   `Advanced:`
 */
export async function sendTest(
  c: OwnerContext,
  message: EmailMessage,
  event: string,
  logged: LogFields,
): Promise<{ state: "sent" | "unknown" | "refused"; problem: string | null }> {
  const { mailer, db, now } = c.var.app;
  if (mailer === null) return { state: "refused", problem: withSettings("no-sender") };
  const outcome = await mailer.send(message, crypto.randomUUID());
  logInfo(event, { ...logged, outcome: outcome.state });
  if (outcome.state === "sent") {
    await retryNow(db, now());
    return { state: "sent", problem: null };
  }
  const isUnknown = outcome.state === "unknown";
  const what = isUnknown ? "The test may not have arrived." : "The test was not sent.";
  return { state: isUnknown ? "unknown" : "refused", problem: `${what} ${withSettings(outcome.reason)}` };
}

function withSettings(reason: string): string {
  const settings = reasonSettings([reason]);
  return `${emailReasonText(reason)}.${settings === null ? "" : `\nAdvanced: ${settings}`}`;
}
