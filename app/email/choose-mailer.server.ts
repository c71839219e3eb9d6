import type { ProviderMailer } from "#app/email/mailer.server.ts";
import { cloudflareMailer } from "#app/email/providers/cloudflare/mailer.server.ts";
import { resendMailer } from "#app/email/providers/resend/mailer.server.ts";
import type { Config } from "#app/server/config.server.ts";

/** The mailer of the configured provider; null if no sender is configured. */
export function chooseMailer(binding: SendEmail, config: Config): ProviderMailer | null {
  const { SITE_URL, MAIL_FROM: from, RESEND_API_KEY: apiKey, RESEND_URL: url } = config;
  if (from === undefined) return null;
  if (apiKey !== undefined) return resendMailer({ apiKey, from, url });
  return cloudflareMailer(binding, from, { isLocal: SITE_URL.startsWith("http:") });
}
