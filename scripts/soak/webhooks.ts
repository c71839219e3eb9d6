import { Webhook } from "standardwebhooks";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { type Exchange, insist } from "#scripts/soak/insist.ts";

export const WEBHOOK_SECRET = "whsec_dGhlIHNpZ25pbmcgc2VjcmV0IG9mIHRoZSBzb2Fr";

const WRONG_SECRET = "whsec_dGhlIHNlY3JldCBvZiBzb21lYm9keSBlbHNlIQ==";

export type EventType = Exchange["kind"] & `${string}.${string}`;

interface Report {
  email: string;
  /** With the bounce's type, if it is not permanent: `email.bounced/Transient`. */
  kind: EventType;
  /** The value of the tag `email_id`. */
  emailId: string | null;
  forged: boolean;
  /** Whether both requests are sent at the same time. */
  atOnce: boolean;
}

/** Reports an event as Resend does: signed, repeated until there is a response, and twice under one id. */
export async function sendWebhook(site: () => Promise<RunningSite>, report: Report): Promise<Exchange[]> {
  const { email, kind, emailId, forged, atOnce } = report;
  const [type = "", bounceType = "Permanent"] = kind.split("/");
  const id = `msg_${crypto.randomUUID()}`;
  const now = new Date();
  const created_at = now.toISOString();
  const bounce = type === "email.bounced" ? { bounce: { type: bounceType, subType: "General", message: "" } } : {};
  const data = { created_at, to: [email], tags: { email_id: emailId ?? "" }, ...bounce };
  const body = JSON.stringify({ type, created_at, data });
  const headers = {
    "Content-Type": "application/json",
    "svix-id": id,
    "svix-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "svix-signature": new Webhook(forged ? WRONG_SECRET : WEBHOOK_SECRET).sign(id, now, body),
  };
  const post = async () => ({
    kind,
    email,
    forged,
    ...(await insist(site, "/api/webhooks/resend", { headers, body })),
  });
  return atOnce ? Promise.all([post(), post()]) : [await post(), await post()];
}
