import { type EmailContent, renderContent } from "#app/email/blocks/render-content.server.ts";
import { greetReader } from "#app/email/greet-reader.server.ts";
import type { ClaimedEmail } from "#app/email/outbox.server.ts";
import * as entryEmails from "#app/email/templates/entry-emails.server.ts";
import * as ownerEmails from "#app/email/templates/owner-emails.server.ts";
import { welcomeEmail } from "#app/email/templates/welcome-email.server.ts";
import type { EmailContext } from "#app/server/context.ts";
import type { EmailKind, EntryEmailKind } from "#app/server/db/schema/email.server.ts";
import type { Answers } from "#app/server/db/schema/entries.server.ts";
import { signToken } from "#app/server/hashes/signed-token.server.ts";
import type { EmailMessage } from "#app/server/mailer.server.ts";
import { identifyOwners } from "#app/server/owners.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import * as switches from "#app/switches.ts";
import { encodeCode } from "#app/waitlist/entries/entry-code.server.ts";
import { personalLink } from "#app/waitlist/entries/personal-link.ts";
import { confirmPath, myDataUrl, oneClickUrl, unsubscribePath } from "#app/waitlist/my-data/links.server.ts";
import { signConfirmToken, signDataToken, signEntryToken } from "#app/waitlist/my-data/token.server.ts";
import { namesAmong } from "#app/waitlist/questions/greetings.server.ts";

export const entryTemplates = {
  welcome: welcomeEmail,
  rejoin: entryEmails.rejoinEmail,
  confirm: entryEmails.confirmEmail,
  "confirm-reminder": entryEmails.confirmReminderEmail,
  "my-data-link": entryEmails.myDataLinkEmail,
  milestone: entryEmails.milestoneEmail,
} satisfies Record<EntryEmailKind, (props: entryEmails.EntryEmailProps) => EmailContent>;

type OwnerEmailKind = Exclude<EmailKind, EntryEmailKind | "letter">;

const ownerTemplates = {
  "sign-in": ownerEmails.signInEmail,
  "send-limit": ownerEmails.sendLimitEmail,
  digest: ownerEmails.digestEmail,
  alert: ownerEmails.alertEmail,
  "settings-changed": ownerEmails.settingsChangedEmail,
} satisfies Record<OwnerEmailKind, (data: never, props: ownerEmails.OwnerEmailProps) => EmailContent>;

export type OwnerEmailData = { [Kind in OwnerEmailKind]: Parameters<(typeof ownerTemplates)[Kind]>[0] };

export async function renderEmail(claim: ClaimedEmail, context: EmailContext): Promise<EmailMessage> {
  const { entryId, email, kind } = claim;
  if (kind === "letter") {
    if (context.composeLetter === undefined) throw new Error("this site sends no letters");
    return context.composeLetter(claim, context);
  }
  return entryId !== null && email !== null
    ? renderEntryEmail({ ...claim, entryId, email }, context)
    : renderOwnerEmail(claim, context);
}

// RFC 3834: autoresponders do not reply.
const headers = { "Auto-Submitted": "auto-generated" };

interface ToEntry
  extends Pick<ClaimedEmail, "kind" | "createdAt" | "wording" | "wasAddedByOwner" | "consentVersion" | "data"> {
  entryId: number;
  email: string;
  addressChangedAt?: EpochMillis | null;
}

/** An email to an entry, the same at each attempt. */
export async function renderEntryEmail(
  { kind, entryId, email, createdAt, wording, ...claim }: ToEntry,
  { siteUrl, launchUrl, replyTo, linkSecret, hashKey, controller, ownerTimeZone }: EmailContext,
): Promise<EmailMessage> {
  const { wasAddedByOwner, consentVersion, data, addressChangedAt = null } = claim;
  const unsubscribeUrl = siteUrl + unsubscribePath(await signEntryToken("unsubscribe:v1", entryId, hashKey));
  const hasLink = switches.referrals && kind === "welcome";
  const content = entryTemplates[kind as EntryEmailKind]({
    siteUrl,
    launchUrl,
    confirmUrl: siteUrl + confirmPath(await signConfirmToken(entryId, addressChangedAt, linkSecret)),
    dataUrl: myDataUrl(siteUrl, await signDataToken(entryId, createdAt, linkSecret)),
    unsubscribeUrl,
    personalUrl: hasLink ? personalLink(siteUrl, await encodeCode(entryId, hashKey)) : undefined,
    controller,
    wasAddedByOwner,
    consentVersion,
    queuedAt: createdAt,
    whereGiven: entryEmails.whereGiven(data, ownerTimeZone),
    data,
    wording: wording === null ? null : JSON.parse(wording),
  });
  const unsubscribe = entryEmails.unsubscribeHeaders(oneClickUrl(unsubscribeUrl));
  const rendered = renderContent(content);
  const { answers } = (data ?? {}) as { answers?: Answers };
  // Emails that ask for confirmation have no greetings: see docs/email.md.
  const words = kind === "welcome" && wording !== null ? greetReader(rendered, namesAmong(answers ?? {})) : rendered;
  return { to: email, replyTo, ...words, headers: { ...headers, ...unsubscribe } };
}

async function renderOwnerEmail(
  { id, kind, ownerId, data }: ClaimedEmail,
  { siteUrl, replyTo, linkSecret, ownerEmails: present, formerOwnerEmails = [], ownerTimeZone: timeZone }: EmailContext,
): Promise<EmailMessage> {
  const addresses = kind === "settings-changed" ? [...present, ...formerOwnerEmails] : present;
  const owner = (await identifyOwners(addresses)).find(({ id }) => id === ownerId);
  if (owner === undefined) throw new Error("no present or former owner has this id");
  const signInUrl = `${siteUrl}/owner/sign-in/${await signToken("owner-sign-in:v1", id, linkSecret)}`;
  const content = ownerTemplates[kind as OwnerEmailKind](data as never, { siteUrl, timeZone, signInUrl });
  return { to: owner.email, replyTo, ...renderContent(content), headers };
}
