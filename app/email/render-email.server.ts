import { type EmailContent, renderContent } from "#app/email/blocks/render-content.server.ts";
import type { EmailMessage } from "#app/email/mailer.server.ts";
import type { ClaimedEmail } from "#app/email/outbox.server.ts";
import { alertEmail } from "#app/email/templates/alert-email.server.ts";
import { confirmEmail, confirmReminderEmail } from "#app/email/templates/confirm-email.server.ts";
import { digestEmail } from "#app/email/templates/digest-email.server.ts";
import type { Controller, EntryEmailProps } from "#app/email/templates/entry-email.server.ts";
import { milestoneEmail } from "#app/email/templates/milestone-email.server.ts";
import { myDataLinkEmail } from "#app/email/templates/my-data-link-email.server.ts";
import type { OwnerEmailProps } from "#app/email/templates/owner-email.server.ts";
import { rejoinEmail } from "#app/email/templates/rejoin-email.server.ts";
import { sendLimitEmail } from "#app/email/templates/send-limit-email.server.ts";
import { signInEmail } from "#app/email/templates/sign-in-email.server.ts";
import { welcomeEmail } from "#app/email/templates/welcome-email.server.ts";
import { whereGiven } from "#app/email/templates/where-given.server.ts";
import { unsubscribeHeaders } from "#app/email/unsubscribe-headers.server.ts";
import type { Wording } from "#app/email/wordings/wording.ts";
import type { EmailKind, EntryEmailKind } from "#app/server/db/schema/email.server.ts";
import { identifyOwners } from "#app/server/owners.server.ts";
import { signToken } from "#app/server/signed-token.server.ts";
import * as switches from "#app/switches.ts";
import { confirmPath, myDataUrl, oneClickUrl, unsubscribePath } from "#app/waitlist/my-data/links.server.ts";
import { signDataToken, signEntryToken } from "#app/waitlist/my-data/token.server.ts";
import { encodeCode } from "#app/waitlist/referrals/code.server.ts";
import { personalLink } from "#app/waitlist/referrals/link.ts";

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

export const entryTemplates = {
  welcome: welcomeEmail,
  rejoin: rejoinEmail,
  confirm: confirmEmail,
  "confirm-reminder": confirmReminderEmail,
  "my-data-link": myDataLinkEmail,
  milestone: milestoneEmail,
} satisfies Record<EntryEmailKind, (props: EntryEmailProps) => EmailContent>;

type OwnerEmailKind = Exclude<EmailKind, EntryEmailKind>;

const ownerTemplates = {
  "sign-in": signInEmail,
  "send-limit": sendLimitEmail,
  digest: digestEmail,
  alert: alertEmail,
} satisfies Record<OwnerEmailKind, (data: never, props: OwnerEmailProps) => EmailContent>;

/** The stored data of the emails to the owner. */
export type OwnerEmailData = { [Kind in OwnerEmailKind]: Parameters<(typeof ownerTemplates)[Kind]>[0] };

/** Renders a claimed email. */
export async function renderEmail(claim: ClaimedEmail, context: EmailContext): Promise<EmailMessage> {
  const { entryId, email } = claim;
  return entryId !== null && email !== null
    ? renderEntryEmail({ ...claim, entryId, email }, context)
    : renderOwnerEmail(claim, context);
}

// RFC 3834: autoresponders do not reply.
const headers = { "Auto-Submitted": "auto-generated" };

async function renderEntryEmail(
  {
    kind,
    entryId,
    email,
    createdAt,
    wasAddedByOwner,
    consentVersion,
    data,
    wording: json,
  }: ClaimedEmail & { entryId: number; email: string },
  { siteUrl, launchUrl, replyTo, linkSecret, hashKey, controller, ownerTimeZone }: EmailContext,
): Promise<EmailMessage> {
  const confirmUrl = siteUrl + confirmPath(await signEntryToken("confirm:v1", entryId, linkSecret));
  const dataUrl = myDataUrl(siteUrl, await signDataToken(entryId, createdAt, linkSecret));
  const unsubscribeUrl = siteUrl + unsubscribePath(await signEntryToken("unsubscribe:v1", entryId, hashKey));
  const wording: Wording | null = json === null ? null : JSON.parse(json);
  // Only the welcome email has it.
  const hasLink = switches.referrals && kind === "welcome";
  const personalUrl = hasLink ? personalLink(siteUrl, await encodeCode(entryId, hashKey)) : undefined;
  const urls = { siteUrl, launchUrl, dataUrl, confirmUrl, unsubscribeUrl, personalUrl };
  const content = entryTemplates[kind as EntryEmailKind]({
    ...urls,
    controller,
    wasAddedByOwner,
    consentVersion,
    queuedAt: createdAt,
    whereGiven: whereGiven(data, ownerTimeZone),
    data,
    wording,
  });
  return {
    to: email,
    replyTo,
    ...renderContent(content),
    headers: { ...headers, ...unsubscribeHeaders(oneClickUrl(unsubscribeUrl)) },
  };
}

async function renderOwnerEmail(
  { id, kind, ownerId, data }: ClaimedEmail,
  { siteUrl, replyTo, linkSecret, ownerEmails, ownerTimeZone }: EmailContext,
): Promise<EmailMessage> {
  const owner = (await identifyOwners(ownerEmails)).find(({ id }) => id === ownerId);
  if (owner === undefined) throw new Error("OWNER_EMAIL does not have this owner");
  const signInUrl = `${siteUrl}/owner/sign-in/${await signToken("owner-sign-in:v1", id, linkSecret)}`;
  const content = ownerTemplates[kind as OwnerEmailKind](data as never, {
    siteUrl,
    timeZone: ownerTimeZone,
    signInUrl,
  });
  return { to: owner.email, replyTo, ...renderContent(content), headers };
}
