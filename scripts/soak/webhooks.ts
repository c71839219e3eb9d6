import { Webhook } from "standardwebhooks";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { insist } from "#scripts/soak/insist.ts";

export const WEBHOOK_SECRET = "whsec_dGhlIHNpZ25pbmcgc2VjcmV0IG9mIHRoZSBzb2Fr";

const WRONG_SECRET = "whsec_dGhlIHNlY3JldCBvZiBzb21lYm9keSBlbHNlIQ==";

/** A report about an email, as the harness sent it. */
export interface SentWebhook {
  /** With the bounce's type, if it is not permanent: `email.bounced/Transient`. */
  type: string;
  email: string;
  forged: boolean;
  /** The response's. */
  status: number;
  body: string;
  /** When the response arrived (milliseconds since 1970). */
  at: number;
}

export interface Reported {
  to: string;
  /** The value of the tag `email_id`. */
  emailId: string;
}

/** Reports events to the site as Resend does: signed, and repeated until there is a response. */
export function webhookSender(site: () => Promise<RunningSite>) {
  const sent: SentWebhook[] = [];

  async function post(id: string, type: string, { to, emailId }: Reported, forged: boolean): Promise<boolean> {
    const body = JSON.stringify(eventBody(type, emailId, to));
    const { response, body: answer } = await insist(site, ({ url }) => {
      const now = new Date();
      return fetch(`${url}/api/webhooks/resend`, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "svix-id": id,
          "svix-timestamp": String(Math.floor(now.getTime() / 1_000)),
          "svix-signature": new Webhook(forged ? WRONG_SECRET : WEBHOOK_SECRET).sign(id, now, body),
        },
        body,
      });
    });
    sent.push({ type, email: to, forged, status: response.status, body: answer, at: Date.now() });
    return response.ok;
  }

  return {
    sent: () => sent,
    /**
     * Sends an event twice under one id: at the same time, or one after the other.
     *
     * @returns whether the site confirmed it
     */
    async report(type: string, email: Reported, { forged = false, atOnce = false } = {}): Promise<boolean> {
      const id = `msg_${crypto.randomUUID()}`;
      const first = post(id, type, email, forged);
      if (!atOnce) await first;
      const confirmed = await Promise.all([first, post(id, type, email, forged)]);
      return confirmed.includes(true);
    },
  };
}

function eventBody(type: string, emailId: string, to: string) {
  const [name = "", bounceType = "Permanent"] = type.split("/");
  const bounce = name === "email.bounced" ? { bounce: { type: bounceType, subType: "General", message: "" } } : {};
  const created_at = new Date().toISOString();
  return { type: name, created_at, data: { created_at, to: [to], tags: { email_id: emailId }, ...bounce } };
}
