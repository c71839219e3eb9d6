import { EMAIL_TIMEOUT, EmailError, type Mailer, rejectUnsafeHeaders } from "#app/email/mailer.server.ts";
import { withTimeout } from "#app/server/timeout.ts";

/**
 * Sends email through the platform's `send_email` binding.
 *
 * The binding has no idempotency keys: an email whose acceptance is never confirmed is sent again.
 */
export function bindingMailer(binding: SendEmail, from: string): Mailer {
  return {
    async send(message) {
      rejectUnsafeHeaders(from, message);
      try {
        await withTimeout(binding.send({ from, ...message }), EMAIL_TIMEOUT, "mail");
      } catch (error) {
        const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
        const permanent = isPermanent(code);
        const reason = permanent ? "address-refused" : undefined;
        throw new EmailError(`the mail binding refused (${code})`, { permanent, reason, cause: error });
      }
    },
  };
}

/**
 * The recipient is on the platform's suppression list, so a retry cannot succeed.
 * https://developers.cloudflare.com/email-service/api/send-emails/workers-api/
 */
function isPermanent(code: string): boolean {
  return code === "E_RECIPIENT_SUPPRESSED";
}
