import * as v from "valibot";
import { EMAIL_TIMEOUT, type Mailer, refuseUnsafeHeaders, type SendOutcome } from "#app/email/mailer.server.ts";
import { type ResendResponse, toOutcome } from "#app/email/resend-outcome.server.ts";
import { describeError } from "#app/server/log.ts";
import { fetchWithTimeout, TimeoutError } from "#app/server/timeout.ts";
import { site } from "#app/site.ts";

interface ResendOptions {
  apiKey: string;
  from: string;
  /** Origin of the API. */
  url?: string | undefined;
}

/** Resend refuses requests without a User-Agent, and workerd's `fetch` sends none. */
const USER_AGENT = `${site.name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}/1.0`;

/** https://resend.com/docs/dashboard/emails/idempotency-keys */
const KEY_LIFETIME = 24 * 60 * 60_000;

/**
 * Sends email through Resend.
 * https://resend.com/docs/api-reference/emails/send-email
 */
export function resendMailer({ apiKey, from, url = "https://api.resend.com" }: ResendOptions): Mailer {
  return {
    keyLifetime: KEY_LIFETIME,
    async send(message, id) {
      const refused = refuseUnsafeHeaders(from, message);
      if (refused !== null) return refused;
      const { replyTo, ...fields } = message;
      return post(`${url}/emails`, {
        headers: {
          Authorization: `Bearer ${apiKey}`,
          "Content-Type": "application/json",
          "Idempotency-Key": id,
          "User-Agent": USER_AGENT,
        },
        // Webhooks quote the tag, which finds the email without its address.
        body: JSON.stringify({ from, reply_to: replyTo, ...fields, tags: [{ name: "email_id", value: id }] }),
      });
    },
  };
}

async function post(url: string, init: RequestInit): Promise<SendOutcome> {
  const limit = { milliseconds: EMAIL_TIMEOUT, name: "Resend" };
  try {
    return toOutcome(await fetchWithTimeout(url, { method: "POST", redirect: "manual", ...init }, limit, read));
  } catch (error) {
    const reason = error instanceof TimeoutError ? "timed-out" : "unreachable";
    return { state: "unknown", reason, detail: describeError(error) };
  }
}

async function read(response: Response): Promise<ResendResponse> {
  const body: unknown = await response.json().catch(() => null);
  return {
    status: response.status,
    headers: response.headers,
    accepted: response.ok && v.is(acceptedSchema, body),
    error: v.is(errorSchema, body) ? body : { name: "", message: "" },
  };
}

const acceptedSchema = v.object({ id: v.string() });

const errorSchema = v.object({ name: v.string(), message: v.string() });
