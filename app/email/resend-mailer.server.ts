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
 * Sends email through Resend, whose idempotency keys last a day.
 * https://resend.com/docs/api-reference/emails/send-email
 */
export function resendMailer({ apiKey, from, url = "https://api.resend.com" }: ResendOptions): Mailer {
  return {
    async send(message, id) {
      rejectUnsafeHeaders(from, message);
      const { replyTo, ...fields } = message;
      const { status, accepted } = await post(`${url}/emails`, {
        headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json", "Idempotency-Key": id },
        body: JSON.stringify({ from, reply_to: replyTo, ...fields }),
      });
      // The idempotency key makes retries safe: retry unless acceptance is confirmed.
      if (!accepted) throw new EmailError(`Resend answered ${status}`, { permanent: status === 422 });
    },
  };
}

async function post(url: string, init: RequestInit): Promise<{ status: number; accepted: boolean }> {
  const limit = { milliseconds: EMAIL_TIMEOUT, name: "Resend" };
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
