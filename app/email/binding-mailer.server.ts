import { MAIL_TIME_LIMIT, MailError, type Mailer, refuseUnsafeHeaders } from "#app/email/mailer.server.ts";
import { withTimeLimit } from "#app/time-limit.ts";

/**
 * Mail through the platform's `send_email` binding, sent as `from`.
 *
 * The binding knows no idempotency key: a mail whose acceptance we never learn of is sent again.
 */
export function bindingMailer(binding: SendEmail, from: string): Mailer {
  return {
    async send(mail) {
      refuseUnsafeHeaders(from, mail);
      try {
        await withTimeLimit(binding.send({ from, ...mail }), MAIL_TIME_LIMIT, "mail");
      } catch (error) {
        const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
        throw new MailError(`the mail binding refused (${code})`, { permanent: isPermanent(code), cause: error });
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
