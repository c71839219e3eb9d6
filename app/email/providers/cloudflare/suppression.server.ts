import type { FailureKind } from "#app/email/mailer.server.ts";
import { redactAddresses } from "#app/server/log.ts";

/** How long Cloudflare suppresses an address after a soft bounce, by default (milliseconds). */
const SOFT_BOUNCE = 24 * 3_600_000;

const refusedForNow: FailureKind = {
  state: "later",
  scope: "email",
  reason: "refused-for-now",
  retryAfter: SOFT_BOUNCE,
};

/** By the names that Cloudflare's API gives the reasons. A policy of Cloudflare's own may end. */
const outcomes: Record<string, FailureKind> = {
  complaint: { state: "permanent", reason: "complaint" },
  manual: { state: "permanent", reason: "blocked" },
  hard_bounce: { state: "permanent", reason: "address-refused" },
  soft_bounce: refusedForNow,
  policy: refusedForNow,
};

/**
 * What `E_RECIPIENT_SUPPRESSED` means for the email. An address is suppressed after a complaint or by hand, without an
 * end; after a hard bounce, for 7 days or without an end; after a soft bounce, for 24 hours.
 *
 * The error is documented to have a code and a message, and no reason. So a reason counts only if the message names
 * exactly one. Otherwise the email waits like after a soft bounce: an attempt too many does no harm, since Cloudflare
 * refuses it without sending or counting it, whereas a wrong guess would keep email from someone for good. Complaints and
 * bounces are known from events (`events.server.ts`), and their addresses are not tried again.
 *
 * https://developers.cloudflare.com/email-service/concepts/suppressions/
 */
export function suppressionOutcome(message: string): FailureKind {
  // The address could contain the name of a reason.
  const words = redactAddresses(message)
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  const [outcome, ...others] = Object.keys(outcomes)
    .filter((name) => RegExp(`(?<![a-z])${name}(?![a-z])`).test(words))
    .map((name) => outcomes[name]);
  return outcome === undefined || others.length > 0 ? refusedForNow : outcome;
}
