import { cloudflareMailer } from "#app/email/providers/cloudflare/mailer.server.ts";
import { resendMailer } from "#app/email/providers/resend/mailer.server.ts";
import type { Config } from "#app/server/config/config.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import { isInternational, isReserved } from "#app/server/email-address.ts";
import type { ProviderMailer } from "#app/server/mailer.server.ts";
import { formatSender, parseSender } from "#app/server/sender.ts";
import { site } from "#app/site.ts";

/** Null without a sender. Keeps sample entries' addresses from a real provider, to which they would be bounces. */
export function chooseMailer(binding: SendEmail, config: Config): ProviderMailer | null {
  const { SITE_URL, MAIL_FROM, RESEND_API_KEY: apiKey, RESEND_URL: url, EXAMPLE_ADDRESSES } = config;
  const sender = MAIL_FROM === undefined ? null : parseSender(MAIL_FROM);
  if (sender === null) return null;
  const from = formatSender({ ...sender, name: sender.name ?? site.name });
  const isLocal = SITE_URL.startsWith("http:");
  const mailer =
    apiKey !== undefined ? resendMailer({ apiKey, from, url }) : cloudflareMailer(binding, from, { isLocal });
  const isExample = isLocal || isReserved(new URL(SITE_URL).hostname);
  const takesExamples = EXAMPLE_ADDRESSES === "send" || (isExample && apiKey === undefined);
  return refuseRecipients(mailer, takesExamples);
}

/** Keeps emails from a provider that it cannot deliver: they fail at once, with a reason, and are not retried. */
function refuseRecipients(mailer: ProviderMailer, takesExamples: boolean): ProviderMailer {
  const { batch } = mailer;
  const refusal = (to: string): EmailReason | null => {
    if (isInternational(to)) return "international-address";
    return isReserved(to) && !takesExamples ? "example-address" : null;
  };
  const refusing: ProviderMailer = {
    ...mailer,
    async send(message, id) {
      const reason = refusal(message.to);
      return reason === null ? mailer.send(message, id) : { state: "permanent", reason, detail: "not submitted" };
    },
  };
  if (batch === undefined) return refusing;
  return {
    ...refusing,
    async batch(messages, id) {
      const indexes = [...messages.keys()];
      const accepted = indexes.filter((index) => refusal(messages[index]?.to ?? "") === null);
      const refused = indexes.filter((index) => !accepted.includes(index));
      if (accepted.length === 0) return { state: "sent", failed: refused, rateLimit: null };
      const submitted = messages.filter((_, index) => accepted.includes(index));
      const outcome = await batch(submitted, id);
      if (outcome.state !== "sent") return outcome;
      return { ...outcome, failed: [...refused, ...outcome.failed.flatMap((index) => accepted[index] ?? [])] };
    },
  };
}
