import type { Mail } from "#app/email/mailer.server.ts";
import { rejoinEmail } from "#app/email/templates/rejoin-email.server.tsx";
import { welcomeEmail } from "#app/email/templates/welcome-email.server.tsx";
import type { EmailKind } from "#app/server/db/schema.server.ts";
import { myDataUrl, oneClickUrl } from "#app/waitlist/my-data/links.server.ts";
import { signToken } from "#app/waitlist/my-data/token.server.ts";

/** What every mail says about the site and its owner. */
export interface EmailContext {
  /** Canonical origin, for links. */
  siteUrl: string;
  /** Where an answer to the mail goes. */
  replyTo: string;
  /** Signs the link to the reader's own entry. */
  linkSecret: string;
}

/** What a letter's words are made with. */
export interface TemplateProps {
  siteUrl: string;
  /** The page about the reader's own entry. */
  dataUrl: string;
}

const letters = { welcome: welcomeEmail, rejoin: rejoinEmail } satisfies Record<EmailKind, unknown>;

/** Writes the mail of a kind to the person behind an entry. */
export async function renderEntryEmail(
  kind: EmailKind,
  to: string,
  entryId: number,
  facts: EmailContext,
): Promise<Mail> {
  const { siteUrl, replyTo, linkSecret } = facts;
  const token = await signToken(entryId, linkSecret);
  const letter = letters[kind]({ siteUrl, dataUrl: myDataUrl(siteUrl, token) });
  return { to, replyTo, ...letter, headers: headersFor(siteUrl, token) };
}

function headersFor(siteUrl: string, token: string): Record<string, string> {
  // RFC 3834: tells holiday responders not to answer.
  const headers = { "Auto-Submitted": "auto-generated" };
  // RFC 8058 asks for https, and Cloudflare refuses mail with another.
  if (!siteUrl.startsWith("https:")) return headers;
  return {
    ...headers,
    "List-Unsubscribe": `<${oneClickUrl(siteUrl, token)}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}
