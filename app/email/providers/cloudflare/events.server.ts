import * as v from "valibot";
import type { ProviderEvent, WebhookRequest } from "#app/email/provider-events.server.ts";

/**
 * Parses a message of the queue to which Cloudflare reports what became of emails. A subscription belongs to one sending
 * domain, and a domain to one account, so the sender tells whether an email is this site's. Events name neither the
 * email's id in the outbox nor its headers.
 * https://developers.cloudflare.com/email-service/platform/event-subscriptions/
 */
export function readQueuedEvent(
  body: unknown,
  sender: string | undefined,
): Exclude<WebhookRequest, { kind: "bad-signature" }> {
  const parsed = v.safeParse(eventSchema, body);
  if (!parsed.success) return { kind: "malformed" };
  const { type, payload, metadata } = parsed.output;
  const isOwn = payload.sender.toLowerCase() === sender?.toLowerCase();
  const kind = isOwn ? kindOf(type, payload) : null;
  if (kind === null) return { kind: "event", event: null };
  const { eventId: id, recipient } = payload;
  return { kind: "event", event: { id, kind, about: null, recipient, at: metadata.eventTimestamp } };
}

const eventSchema = v.object({
  type: v.string(),
  source: v.object({ type: v.literal("email.sending") }),
  payload: v.object({
    eventId: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
    sender: v.string(),
    recipient: v.string(),
    bounce: v.optional(v.object({ type: v.optional(v.string()) })),
    rejection: v.optional(v.object({ reason: v.optional(v.string()) })),
  }),
  metadata: v.object({ eventTimestamp: v.pipe(v.string(), v.isoTimestamp(), v.transform(Date.parse)) }),
});

type Payload = v.InferOutput<typeof eventSchema>["payload"];

/** A bounce is `hard` or `soft`. A suppressed recipient is known already, from the error when the email was handed over. */
function kindOf(type: string, { bounce, rejection }: Payload): ProviderEvent["kind"] | null {
  switch (type) {
    case "cf.email.sending.message.bounced":
      return bounce?.type === "hard" ? "hard-bounce" : "soft-bounce";
    case "cf.email.sending.message.complained":
      return "complaint";
    case "cf.email.sending.message.failed":
      return "failed";
    case "cf.email.sending.message.rejected":
      return rejection?.reason === "suppressed" ? null : "failed";
    default:
      return null;
  }
}
