import { launchDate } from "#app/site.ts";
import { britishDate } from "#app/ui/british-date.ts";
import type { Settings } from "#scripts/deploy/settings.ts";

/**
 * Warns of a launch date that has passed while the product is not open.
 *
 * @param launchUrl the value of `LAUNCH_URL`, if the product is open
 */
export function launchDateWarning(launchUrl?: string, date = launchDate, now = new Date()): string | null {
  if (launchUrl !== undefined || date >= now.toISOString().slice(0, 10)) return null;
  return `The launch date, ${britishDate(Date.parse(date)).text}, has passed; if the product is open, set LAUNCH_URL (docs/launching.md), or change launch and launchDate in app/site.ts.`;
}

/**
 * Warns owners whose sign-in links cannot be sent.
 *
 * @param sendsEmail whether Cloudflare's email service is bound
 * @param storedSecrets names of the secrets at Cloudflare
 * @returns null when they can be sent, or when there is no owner
 */
export function ownerEmailWarning(
  sendsEmail: boolean,
  { vars, secrets }: Pick<Settings, "vars" | "secrets">,
  storedSecrets: string[],
): string | null {
  const hasProvider = sendsEmail || [...Object.keys(secrets), ...storedSecrets].includes("RESEND_API_KEY");
  if (vars["OWNER_EMAIL"] === undefined || (vars["MAIL_FROM"] !== undefined && hasProvider)) return null;
  const missing =
    vars["MAIL_FROM"] === undefined
      ? "MAIL_FROM is not set"
      : "RESEND_API_KEY is not set, and wrangler.toml has no send_email binding";
  return `OWNER_EMAIL is set, but no email can be sent: ${missing}.
Sign-in links will not arrive. Until they do, print one: npm run owner -- sign-in --remote`;
}
