import { MAIL_TIME_LIMIT, MailError, type Mailer, refuseUnsafeHeaders } from "#app/email/mailer.server.ts";

interface ResendOptions {
  apiKey: string;
  from: string;
  /** Origin of the API. */
  url?: string | undefined;
}

/**
 * Mail through Resend, which sends a mail once for each idempotency key, however often it is asked within a day.
 * https://resend.com/docs/api-reference/emails/send-email
 */
export function resendMailer({ apiKey, from, url = "https://api.resend.com" }: ResendOptions): Mailer {
  return {
    async send(mail, id) {
      refuseUnsafeHeaders(from, mail);
      const { replyTo, ...fields } = mail;
      const response = await post(`${url}/emails`, {
        headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json", "Idempotency-Key": id },
        body: JSON.stringify({ from, reply_to: replyTo, ...fields }),
      });
      // Read or called off, or the connection stays taken.
      await response.body?.cancel();
      if (!response.ok) {
        throw new MailError(`Resend answered ${response.status}`, { permanent: response.status === 422 });
      }
    },
  };
}

async function post(url: string, init: RequestInit): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(MAIL_TIME_LIMIT);
    return await fetch(url, { method: "POST", redirect: "manual", signal, ...init });
  } catch (error) {
    throw new MailError("Resend could not be reached", { permanent: false, cause: error });
  }
}
