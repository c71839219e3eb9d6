import { EMAIL_TIMEOUT, EmailError, type Mailer, rejectUnsafeHeaders } from "#app/email/mailer.server.ts";
import { withTimeout } from "#app/server/timeout.ts";

/**
 * Mail through the platform's `send_email` binding, sent as `from`.
 *
 * The binding knows no idempotency key: a mail whose acceptance we never learn of is sent again.
 */
export function bindingMailer(binding: SendEmail, from: string): Mailer {
  return {
    async send(mail) {
      rejectUnsafeHeaders(from, mail);
      try {
        await withTimeout(binding.send({ from, ...mail }), EMAIL_TIMEOUT, "mail");
      } catch (error) {
        const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
        throw new EmailError(`the mail binding refused (${code})`, { permanent: isPermanent(code), cause: error });
      }
    },
  };
}

/**
 * The recipient's server has turned this sender away before, and the platform will not try again.
 * https://developers.cloudflare.com/email-service/api/send-emails/workers-api/
 */
function isPermanent(code: string): boolean {
  return code === "E_RECIPIENT_SUPPRESSED";
}
