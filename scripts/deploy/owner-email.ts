import { readOwnerAddresses } from "#app/server/config-values.server.ts";
import type { BuiltWorker } from "#scripts/deploy/built-worker.ts";
import type { Settings } from "#scripts/deploy/settings.ts";

/**
 * Warns owners whose sign-in links cannot be sent.
 *
 * @param storedSecrets names of the secrets at Cloudflare
 * @returns null when they can be sent, or when there is no owner
 */
export function ownerEmailWarning(
  worker: Pick<BuiltWorker, "sendsEmail">,
  { vars, secrets }: Pick<Settings, "vars" | "secrets">,
  storedSecrets: string[],
): string | null {
  if (vars["OWNER_EMAIL"] === undefined) return null;
  const hasProvider = worker.sendsEmail || "RESEND_API_KEY" in secrets || storedSecrets.includes("RESEND_API_KEY");
  if (vars["MAIL_FROM"] !== undefined && hasProvider) return null;
  const hasSeveral = readOwnerAddresses(vars["OWNER_EMAIL"]).length > 1;
  const missing =
    vars["MAIL_FROM"] === undefined
      ? "MAIL_FROM is not set"
      : "RESEND_API_KEY is not set, and wrangler.toml has no send_email binding";
  return `OWNER_EMAIL is set, but no email can be sent: ${missing}.
Sign-in links will not arrive. Until they do, print one: npm run owner -- sign-in --remote${hasSeveral ? " --owner ADDRESS" : ""}`;
}
