import * as v from "valibot";
import { EMAIL_TIMEOUT, EmailError, type Mailer, rejectUnsafeHeaders } from "#app/email/mailer.server.ts";
import { fetchWithTimeout } from "#app/server/timeout.ts";

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
      rejectUnsafeHeaders(from, mail);
      const { replyTo, ...fields } = mail;
      const { status, accepted } = await post(`${url}/emails`, {
        headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json", "Idempotency-Key": id },
        body: JSON.stringify({ from, reply_to: replyTo, ...fields }),
      });
      // The key makes one try too many harmless, so whatever does not say that it has the mail is asked again.
      if (!accepted) throw new EmailError(`Resend answered ${status}`, { permanent: status === 422 });
    },
  };
}

async function post(url: string, init: RequestInit): Promise<{ status: number; accepted: boolean }> {
  const limit = { milliseconds: EMAIL_TIMEOUT, what: "Resend" };
  try {
    return await fetchWithTimeout(url, { method: "POST", redirect: "manual", ...init }, limit, async (response) => ({
      status: response.status,
      accepted: v.is(acceptedSchema, await response.json().catch(() => null)) && response.ok,
    }));
  } catch (error) {
    throw new EmailError("Resend could not be reached", { permanent: false, cause: error });
  }
}

const acceptedSchema = v.object({ id: v.string() });
