import { env } from "cloudflare:test";

/** An event as Cloudflare documents it, by the last part of its type. */
export function emailEvent(type: string, recipient: string, payload: object = {}, at = Date.now()) {
  return {
    type: `cf.email.sending.message.${type}`,
    source: { type: "email.sending", zoneId: "023e105f4ecef8ad9ca31a8372d0c353", domain: "waitlist-site.example" },
    payload: {
      eventId: crypto.randomUUID(),
      messageId: "0101018f7d0c4d9a-msg-deadbeef",
      sender: env.MAIL_FROM,
      recipient,
      subject: "You are on the waitlist",
      terminal: true,
      delivery: { status: type, smtpStatusCode: "550", smtpResponse: `550 5.1.1 no such user ${recipient}` },
      ...payload,
    },
    metadata: {
      accountId: "f9f79265f388666de8122cfb508d7776",
      eventSubscriptionId: "1830c4bb612e43c3af7f4cada31fbf3f",
      eventSchemaVersion: 1,
      eventTimestamp: new Date(at).toISOString(),
    },
  };
}

export const bounce = (type: string) => ({ bounce: { type, classification: "failure", reason: "550 5.1.1" } });
