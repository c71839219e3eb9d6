import * as v from "valibot";
import {
  type BatchOutcome,
  EMAIL_TIMEOUT,
  type EmailMessage,
  type ProviderMailer,
  refuseUnsafeHeaders,
  type SendFailure,
} from "#app/email/mailer.server.ts";
import { type ResendResponse, rateLimitState, toOutcome } from "#app/email/providers/resend/outcome.server.ts";
import { describeError } from "#app/server/log.ts";
import { fetchWithTimeout, TimeoutError } from "#app/server/timeout.ts";
import { USER_AGENT } from "#app/server/user-agent.ts";

interface ResendOptions {
  apiKey: string;
  from: string;
  /** Origin of the API. */
  url?: string | undefined;
}

export const RESEND_ORIGIN = "https://api.resend.com";

/** https://resend.com/docs/dashboard/emails/idempotency-keys */
const KEY_LIFETIME = 24 * 60 * 60_000;

/**
 * Sends email through Resend.
 * https://resend.com/docs/api-reference/emails/send-email
 */
export function resendMailer({ apiKey, from, url = RESEND_ORIGIN }: ResendOptions): ProviderMailer {
  const request = (id: string, body: unknown, headers: Record<string, string> = {}): RequestInit => ({
    headers: {
      Authorization: `Bearer ${apiKey}`,
      "Content-Type": "application/json",
      "Idempotency-Key": id,
      "User-Agent": USER_AGENT,
      ...headers,
    },
    body: JSON.stringify(body),
  });
  // Webhooks quote the tags, which find the email without its address.
  const toBody = ({ replyTo, ...fields }: EmailMessage, tags: Record<string, string>) => {
    return { from, reply_to: replyTo, ...fields, tags: Object.entries(tags).map(([name, value]) => ({ name, value })) };
  };
  return {
    provider: "Resend",
    description: `Resend, from ${from}`,
    keyLifetime: KEY_LIFETIME,
    async send(message, id) {
      const refused = refuseUnsafeHeaders(from, message);
      if (refused !== null) return refused;
      const sending = request(id, toBody(message, { email_id: id }));
      return post(`${url}/emails`, sending, async (response) => toOutcome(await read(response, acceptedSchema)));
    },
    async batch(messages, id) {
      for (const message of messages) {
        const refused = refuseUnsafeHeaders(from, message);
        if (refused !== null) return refused;
      }
      const emails = messages.map(({ tags, ...message }) => toBody(message, tags));
      // By default, one rejected address would fail all the others.
      const sending = request(id, emails, { "x-batch-validation": "permissive" });
      return post<BatchOutcome>(`${url}/emails/batch`, sending, async (response) => {
        const batch = await read(response, batchSchema);
        const outcome = toOutcome(batch);
        if (outcome.state !== "sent") return outcome;
        const failed = (batch.body?.errors ?? []).map(({ index }) => index);
        return { ...outcome, failed, rateLimit: rateLimitState(response.headers) };
      });
    },
  };
}

async function post<Outcome>(
  url: string,
  init: RequestInit,
  readOutcome: (response: Response) => Promise<Outcome>,
): Promise<Outcome | SendFailure> {
  const limit = { milliseconds: EMAIL_TIMEOUT, name: "Resend" };
  try {
    return await fetchWithTimeout(url, { method: "POST", redirect: "manual", ...init }, limit, readOutcome);
  } catch (error) {
    const reason = error instanceof TimeoutError ? "timed-out" : "unreachable";
    return { state: "unknown", reason, detail: describeError(error) };
  }
}

async function read<Schema extends v.GenericSchema>(
  response: Response,
  schema: Schema,
): Promise<ResendResponse & { body: v.InferOutput<Schema> | null }> {
  const body: unknown = await response.json().catch(() => null);
  const accepted = response.ok && v.is(schema, body);
  return {
    status: response.status,
    headers: response.headers,
    accepted,
    body: accepted ? (body as v.InferOutput<Schema>) : null,
    error: v.is(errorSchema, body) ? body : { name: "", message: "" },
  };
}

const acceptedSchema = v.object({ id: v.string() });

const batchSchema = v.object({
  data: v.array(v.object({ id: v.string() })),
  errors: v.optional(v.array(v.object({ index: v.pipe(v.number(), v.integer(), v.minValue(0)) }))),
});

const errorSchema = v.object({ name: v.string(), message: v.string() });
