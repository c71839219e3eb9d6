import type { AppContext } from "#app/context.ts";
import { type LetterWords, toContent } from "#app/email/letters/check-letter.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { type LetterLinks, renderLetter } from "#app/email/letters/render-letter.server.ts";
import { retryNow } from "#app/email/pauses.server.ts";
import { reasonSettings, reasonText } from "#app/server/db/email-reasons.ts";
import { logInfo } from "#app/server/log.ts";
import { myDataUrl, unsubscribePath } from "#app/waitlist/my-data/links.server.ts";
import { signDataToken, signEntryToken } from "#app/waitlist/my-data/token.server.ts";

/** Entries are counted from 1: the links in a test or a preview belong to no one. */
const NO_ENTRY = 0;

export async function ownLinks(app: AppContext, web: LetterLinks["web"]): Promise<LetterLinks> {
  const { siteUrl, hashKey, linkSecret } = app.emailContext;
  return {
    unsubscribe: siteUrl + unsubscribePath(await signEntryToken("unsubscribe:v1", NO_ENTRY, hashKey)),
    entry: myDataUrl(siteUrl, await signDataToken(NO_ENTRY, app.now(), linkSecret)),
    web,
  };
}

/** Where anyone can read a letter; null if it is not public. */
export function webPage({ emailContext }: AppContext, { id, is_public }: Letter): LetterLinks["web"] {
  return is_public ? `${emailContext.siteUrl}/letters/${id}` : null;
}

interface Tested {
  words: LetterWords;
  web: LetterLinks["web"];
  /** What it is in the site's log. */
  logged: Record<string, number>;
}

/**
 * Sends a letter or a follow-up to an owner, at once and outside the outbox: the page says what came of it.
 *
 * @returns why it was not sent, or may not have been; null if it was
 */
export async function sendTest(
  app: AppContext,
  { words, web, logged }: Tested,
  address: string,
): Promise<string | null> {
  const { mailer, emailContext } = app;
  if (mailer === null) return `${reasonText("no-sender")}.\nAdvanced: ${reasonSettings(["no-sender"])}`;
  const content = { ...toContent(words), subject: `[Test] ${words.subject}` };
  const rendered = renderLetter(content, await ownLinks(app, web), emailContext);
  const replyTo = words.reply_to ?? emailContext.replyTo;
  const outcome = await mailer.send({ to: address, replyTo, ...rendered }, crypto.randomUUID());
  logInfo("letter-tested", { ...logged, outcome: outcome.state });
  if (outcome.state === "sent") {
    await retryNow(app.db, app.now());
    return null;
  }
  const settings = reasonSettings([outcome.reason]);
  const why = `${reasonText(outcome.reason)}.${settings === null ? "" : `\nAdvanced: ${settings}`}`;
  return outcome.state === "unknown" ? `The test may not have arrived. ${why}` : `The test was not sent. ${why}`;
}
