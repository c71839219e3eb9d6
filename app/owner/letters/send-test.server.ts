import type { AppContext } from "#app/context.ts";
import { toContent } from "#app/email/letters/check-letter.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { type LetterLinks, renderLetter } from "#app/email/letters/render-letter.server.ts";
import { retryNow } from "#app/email/pauses.server.ts";
import { reasonSettings, reasonText } from "#app/server/db/email-reasons.ts";
import { logInfo } from "#app/server/log.ts";
import { unsubscribePath } from "#app/waitlist/my-data/links.server.ts";
import { signEntryToken } from "#app/waitlist/my-data/token.server.ts";

/** Entries are counted from 1: the link to unsubscribe in a test or a preview belongs to no one. */
const NO_ENTRY = 0;

export async function ownLinks(app: AppContext, letter: Letter): Promise<LetterLinks> {
  const { siteUrl, hashKey } = app.emailContext;
  return {
    unsubscribe: siteUrl + unsubscribePath(await signEntryToken("unsubscribe:v1", NO_ENTRY, hashKey)),
    web: letter.is_public ? `${siteUrl}/letters/${letter.id}` : null,
  };
}

/**
 * Sends a letter to an owner, at once and outside the outbox: the page says what came of it.
 *
 * @returns why it was not sent, or may not have been; null if it was
 */
export async function sendTest(app: AppContext, letter: Letter, address: string): Promise<string | null> {
  const { mailer, emailContext } = app;
  if (mailer === null) return `${reasonText("no-sender")}.\nAdvanced: ${reasonSettings(["no-sender"])}`;
  const content = { ...toContent(letter), subject: `[Test] ${letter.subject}` };
  const rendered = renderLetter(content, await ownLinks(app, letter), emailContext);
  const replyTo = letter.reply_to ?? emailContext.replyTo;
  const outcome = await mailer.send({ to: address, replyTo, ...rendered }, crypto.randomUUID());
  logInfo("letter-tested", { letterId: letter.id, outcome: outcome.state });
  if (outcome.state === "sent") {
    await retryNow(app.db, app.now());
    return null;
  }
  const settings = reasonSettings([outcome.reason]);
  const why = `${reasonText(outcome.reason)}.${settings === null ? "" : `\nAdvanced: ${settings}`}`;
  return outcome.state === "unknown" ? `The test may not have arrived. ${why}` : `The test was not sent. ${why}`;
}
