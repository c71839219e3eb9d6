import type { ProviderMailer } from "#app/email/mailer.server.ts";
import { cloudflareMailer } from "#app/email/providers/cloudflare/mailer.server.ts";
import { resendMailer } from "#app/email/providers/resend/mailer.server.ts";
import type { Config } from "#app/server/config.server.ts";
import { formatSender, parseSender } from "#app/server/sender.ts";
import { site } from "#app/site.ts";

/** The mailer of the configured provider, which sends in the site's name if MAIL_FROM has none; null without a sender. */
export function chooseMailer(binding: SendEmail, config: Config): ProviderMailer | null {
  const { SITE_URL, MAIL_FROM, RESEND_API_KEY: apiKey, RESEND_URL: url } = config;
  const sender = MAIL_FROM === undefined ? null : parseSender(MAIL_FROM);
  if (sender === null) return null;
  const from = formatSender({ ...sender, name: sender.name ?? site.name });
  if (apiKey !== undefined) return resendMailer({ apiKey, from, url });
  return cloudflareMailer(binding, from, { isLocal: SITE_URL.startsWith("http:") });
}
