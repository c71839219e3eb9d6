import type { EmailMessage } from "#app/email/mailer.server.ts";
import type { ClaimedEmail } from "#app/email/outbox.server.ts";
import { type AlertProps, alertEmail } from "#app/email/templates/alert-email.server.ts";
import { confirmEmail, confirmReminderEmail } from "#app/email/templates/confirm-email.server.tsx";
import { type DigestProps, digestEmail } from "#app/email/templates/digest-email.server.ts";
import { myDataLinkEmail } from "#app/email/templates/my-data-link-email.server.tsx";
import { rejoinEmail } from "#app/email/templates/rejoin-email.server.tsx";
import { type SendLimitProps, sendLimitEmail } from "#app/email/templates/send-limit-email.server.ts";
import { signInEmail } from "#app/email/templates/sign-in-email.server.tsx";
import { welcomeEmail } from "#app/email/templates/welcome-email.server.tsx";
import { unsubscribeHeaders } from "#app/email/unsubscribe-headers.server.ts";
import type { EntryEmailKind } from "#app/server/db/schema/email.server.ts";
import { identifyOwners } from "#app/server/owners.server.ts";
import { signToken } from "#app/server/signed-token.server.ts";
import { confirmPath, myDataUrl, oneClickUrl, unsubscribePath } from "#app/waitlist/my-data/links.server.ts";
import { signDataToken, signEntryToken } from "#app/waitlist/my-data/token.server.ts";

/** Site settings that emails need. */
export interface EmailContext {
  /** Canonical origin, for links. */
  siteUrl: string;
  replyTo: string;
  /** Where the product is, once it has launched. */
  launchUrl?: string | undefined;
  /** Signs links to the recipient's entry, and sign-in links. */
  linkSecret: string;
  /** Signs links that unsubscribe. */
  hashKey: string;
  /** The owners' addresses, as `normaliseEmail` returns them. */
  ownerEmails: string[];
  /** IANA name of the time zone in emails to the owner. */
  ownerTimeZone: string;
  /** Who is responsible for the recipient's data. */
  controller: Controller;
}

/** Name and postal address. */
interface Controller {
  name: string;
  address: string;
}

/** Props of the templates for entries. */
export interface TemplateProps {
  siteUrl: string;
  launchUrl?: string | undefined;
  /** URL of the page about the recipient's entry, for 30 days. */
  dataUrl: string;
  /** URL of the page that confirms the recipient's address. */
  confirmUrl: string;
  controller: Controller;
  /** Whether the recipient came from a file, not from a form. */
  isImported?: boolean;
  /** URL of the page that unsubscribes and can do nothing else. It never expires. */
  unsubscribeUrl: string;
}

/** The stored data of the emails to the owner. */
export interface OwnerEmailData {
  "sign-in": { expiresAt: number };
  "send-limit": SendLimitProps;
  digest: DigestProps;
  alert: AlertProps;
}

const entryTemplates = {
  welcome: welcomeEmail,
  rejoin: rejoinEmail,
  confirm: confirmEmail,
  "confirm-reminder": confirmReminderEmail,
  "my-data-link": myDataLinkEmail,
} satisfies Record<EntryEmailKind, unknown>;

/** Renders a claimed email. */
export async function renderEmail(claim: ClaimedEmail, context: EmailContext): Promise<EmailMessage> {
  const { siteUrl, launchUrl, replyTo } = context;
  // RFC 3834: autoresponders do not reply.
  const headers = { "Auto-Submitted": "auto-generated" };
  const { entryId, email } = claim;
  if (entryId !== null && email !== null) {
    const confirmUrl = siteUrl + confirmPath(await signEntryToken("confirm:v1", entryId, context.linkSecret));
    const dataUrl = myDataUrl(siteUrl, await signDataToken(entryId, claim.createdAt, context.linkSecret));
    const unsubscribe = await signEntryToken("unsubscribe:v1", entryId, context.hashKey);
    const unsubscribeUrl = siteUrl + unsubscribePath(unsubscribe);
    const urls = { siteUrl, launchUrl, dataUrl, confirmUrl, unsubscribeUrl };
    const props = { ...urls, controller: context.controller, isImported: claim.isImported };
    const content = entryTemplates[claim.kind as EntryEmailKind](props);
    return {
      to: email,
      replyTo,
      ...content,
      headers: { ...headers, ...unsubscribeHeaders(oneClickUrl(unsubscribeUrl)) },
    };
  }
  const owner = (await identifyOwners(context.ownerEmails)).find(({ id }) => id === claim.ownerId);
  if (owner === undefined) throw new Error("OWNER_EMAIL does not have this owner");
  return { to: owner.email, replyTo, ...(await renderOwnerEmail(claim, context)), headers };
}

async function renderOwnerEmail(claim: ClaimedEmail, context: EmailContext) {
  const { siteUrl } = context;
  const template = { siteUrl, timeZone: context.ownerTimeZone };
  switch (claim.kind) {
    case "sign-in": {
      const token = await signToken("owner-sign-in:v1", claim.id, context.linkSecret);
      return signInEmail({ siteUrl, url: `${siteUrl}/owner/sign-in/${token}` });
    }
    case "send-limit":
      return sendLimitEmail(claim.data as SendLimitProps, template);
    case "alert":
      return alertEmail(claim.data as AlertProps, template);
    default:
      return digestEmail(claim.data as DigestProps, template);
  }
}
