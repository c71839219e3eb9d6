import { Webhook } from "standardwebhooks";
import { apiSite } from "#tests/support/pool/site.ts";

export const WEBHOOK_SECRET = "whsec_dGhlIHNpZ25pbmcgc2VjcmV0IG9mIHRoZXNlIHRlc3Rz";

const PATH = "/api/webhooks/resend";

/** An event as Resend documents it. */
export function resendEvent(type: string, emailId: string, to: string, data: object = {}) {
  return {
    type,
    created_at: "2026-11-21T12:00:00.000Z",
    data: {
      created_at: "2026-11-21T12:00:00.000Z",
      email_id: "56761188-7520-42d8-8898-ff6fc54ce618",
      from: "Waitlist <pioneers@waitlist-site.example>",
      to: [to],
      subject: "You are on the waitlist",
      tags: { email_id: emailId },
      ...data,
    },
  };
}

export const bounce = (type: string) => ({
  bounce: { type, subType: "General", message: "no such user ada@example.com" },
});

interface Delivery {
  /** The event's id. */
  id?: string;
  secret?: string;
  /** Seconds between the signature and now. */
  age?: number;
  headers?: Record<string, string>;
}

/** Posts a signed request to the webhook as Resend does. */
export function postWebhook(
  event: object | string,
  { id = `msg_${crypto.randomUUID()}`, secret = WEBHOOK_SECRET, age = 0, headers = {} }: Delivery = {},
  overrides: object = {},
) {
  const body = typeof event === "string" ? event : JSON.stringify(event);
  const time = new Date(Date.now() - age * 1_000);
  const signed = {
    "Content-Type": "application/json",
    "svix-id": id,
    "svix-timestamp": String(Math.floor(time.getTime() / 1_000)),
    "svix-signature": new Webhook(secret).sign(id, time, body),
    ...headers,
  };
  const site = apiSite({ RESEND_WEBHOOK_SECRET: WEBHOOK_SECRET, ...overrides } as Partial<Env>);
  return site.request(PATH, { method: "POST", headers: signed, body });
}
