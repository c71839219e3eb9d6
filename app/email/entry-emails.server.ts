import type { EmailMessage } from "#app/email/mailer.server.ts";
import { rejoinEmail } from "#app/email/templates/rejoin-email.server.tsx";
import { welcomeEmail } from "#app/email/templates/welcome-email.server.tsx";
import type { EmailKind } from "#app/server/db/schema.server.ts";
import { myDataUrl, oneClickUrl } from "#app/waitlist/my-data/links.server.ts";
import { signToken } from "#app/waitlist/my-data/token.server.ts";

/** Site settings that every email needs. */
export interface EmailContext {
  /** Canonical origin, for links. */
  siteUrl: string;
  replyTo: string;
  /** Signs the link to the recipient's entry. */
  linkSecret: string;
}

export interface TemplateProps {
  siteUrl: string;
  /** URL of the page about the recipient's entry. */
  dataUrl: string;
}

const templates = { welcome: welcomeEmail, rejoin: rejoinEmail } satisfies Record<EmailKind, unknown>;

/** Renders an email to the person behind an entry. */
export async function renderEntryEmail(
  kind: EmailKind,
  to: string,
  entryId: number,
  context: EmailContext,
): Promise<EmailMessage> {
  const { siteUrl, replyTo, linkSecret } = context;
  const token = await signToken(entryId, linkSecret);
  const content = templates[kind]({ siteUrl, dataUrl: myDataUrl(siteUrl, token) });
  return { to, replyTo, ...content, headers: headersFor(siteUrl, token) };
}

function headersFor(siteUrl: string, token: string): Record<string, string> {
  // RFC 3834: autoresponders do not reply.
  const headers = { "Auto-Submitted": "auto-generated" };
  // RFC 8058 requires https, and Cloudflare rejects emails that use another scheme.
  if (!siteUrl.startsWith("https:")) return headers;
  return {
    ...headers,
    "List-Unsubscribe": `<${oneClickUrl(siteUrl, token)}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}
