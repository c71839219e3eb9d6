/**
 * Why an email waits, failed or is dead: the codes in `email_outbox.reason` and `email_pauses`, in the owner's words.
 * `app/email` decides: `outbox.server.ts` whether an email is still wanted, `suppression.server.ts` and `attempt.server.ts` about the
 * address and the provider's response, `limits.ts` and `pauses.server.ts` when. The owner reads it on the page of an entry and on the overview.
 */
export const emailReasons = {
  // All email waits.
  "no-sender": "No sender is configured",
  "send-limit": "The send limit is reached",
  "rate-limit": "The email provider asked us to send more slowly",
  "daily-quota": "The email provider’s daily limit is reached",
  "monthly-quota": "The email provider’s monthly limit is reached",
  "wrong-key": "The email provider refused the API key",
  "unverified-sender": "The email provider has not verified the sender’s domain",
  "recipients-restricted": "The email provider accepts only recipients verified in its account",
  "refused-request": "The email provider refused this site’s requests",
  "letters-refused": "This site cannot send letters as it is set up now",
  "letter-problem": "The letter has a problem; its preview says what",
  // This email waits.
  "unverified-limit": "Sign-ups that Turnstile has not verified have used their half of the send limit",
  "sign-up-bounces": "Too many sign-up emails bounced, so those to unverified sign-ups wait until you release them",
  "import-limit": "Imported people are sent their emails slowly, at most a quarter of the send limit",
  "timed-out": "The email provider took too long to answer",
  unreachable: "The email provider could not be reached",
  "provider-fault": "The email provider had an internal error",
  "in-progress": "The email provider is still working on an earlier attempt",
  "delivery-failed": "The email provider could not deliver it",
  "refused-for-now": "The email provider sends nothing to this address for now",
  "site-fault": "This site could not prepare it",
  // This email is dead.
  rejected: "The email provider rejected this email",
  "address-refused": "This address does not accept email",
  "soft-bounces": "Three of the last five emails to this address bounced",
  complaint: "The recipient reported an email as spam",
  never: "The recipient asked us never to email them again",
  blocked: "This address was blocked by hand at the email provider",
  "international-address": "Email providers cannot send to an address with letters such as ø before the @",
  "example-address": "This is a test address, such as one at example.com, so nothing is sent to it",
  "unsafe-header": "The email had an unsafe header",
  "link-expired": "The link in it has expired",
  "outcome-unknown": "The email provider never confirmed it, so it may have arrived",
} as const;

export type EmailReason = keyof typeof emailReasons;

const settings: Partial<Record<string, string[]>> = {
  "no-sender": ["MAIL_FROM"],
  "send-limit": ["MAIL_PER_HOUR"],
  "wrong-key": ["RESEND_API_KEY"],
  "unverified-sender": ["MAIL_FROM"],
  "letters-refused": ["RESEND_API_KEY", "WORKERS_PLAN"],
} satisfies Partial<Record<EmailReason, string[]>>;

/** Which settings to look at because of some stored reasons, as a sentence; null for none. */
export function reasonSettings(reasons: readonly (string | null)[]): string | null {
  const names = new Set(reasons.flatMap((reason) => settings[reason ?? ""] ?? []));
  if (names.size === 0) return null;
  return `see ${new Intl.ListFormat("en-GB").format(names)} in docs/configuration.md.`;
}

export function emailReasonText(reason: string): string;
export function emailReasonText(reason: string | null): string | null;
export function emailReasonText(reason: string | null): string | null {
  if (reason === null) return null;
  return Object.hasOwn(emailReasons, reason) ? emailReasons[reason as EmailReason] : reason;
}
