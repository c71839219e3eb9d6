import { Webhook } from "standardwebhooks";
import * as v from "valibot";
import type { ProviderEvent, ProviderWebhook, WebhookRequest } from "#app/email/provider-events.server.ts";

/**
 * How Resend reports events. Signatures follow Standard Webhooks, under the header names of Svix, and are valid for five
 * minutes before and after their time.
 * https://resend.com/docs/webhooks/verify-webhooks-requests and https://resend.com/docs/webhooks/event-types
 */
export const resendWebhook: ProviderWebhook = {
  secretOf: ({ RESEND_WEBHOOK_SECRET }) => RESEND_WEBHOOK_SECRET,
  read,
};

function read(body: string, headers: Headers, secret: string): WebhookRequest {
  const id = headers.get("svix-id") ?? "";
  try {
    new Webhook(secret).verify(
      body,
      {
        "webhook-id": id,
        "webhook-timestamp": headers.get("svix-timestamp") ?? "",
        "webhook-signature": headers.get("svix-signature") ?? "",
      },
      { jsonParse: false },
    );
  } catch {
    return { kind: "bad-signature" };
  }
  const parsed = v.safeParse(eventSchema, body);
  return parsed.success ? { kind: "event", event: toEvent(id, parsed.output) } : { kind: "malformed" };
}

const eventSchema = v.pipe(v.string(), v.parseJson(), v.object({ type: v.string(), data: v.looseObject({}) }));

/** Documented as a list, and sent as an object. */
const tagsSchema = v.union([
  v.pipe(
    v.array(v.object({ name: v.string(), value: v.string() })),
    v.transform((tags): Record<string, string> => Object.fromEntries(tags.map(({ name, value }) => [name, value]))),
  ),
  v.record(v.string(), v.string()),
]);

/** An email of this site: other emails of the same account have no such tag. */
const emailSchema = v.object({
  to: v.tuple([v.string()]),
  tags: v.pipe(
    tagsSchema,
    v.union([
      v.object({ email_id: v.pipe(v.string(), v.regex(/^[0-9a-z-]{1,36}$/)) }),
      v.object({
        letter: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
        entry: v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/), v.transform(Number)),
      }),
    ]),
  ),
  bounce: v.optional(v.object({ type: v.optional(v.string()) })),
});

/**
 * Bounces are `Permanent`, `Transient` or `Undetermined`. An address on Resend's own suppression list is one that bounced
 * or complained before.
 */
const kinds = new Map<string, ProviderEvent["kind"]>([
  ["email.bounced", "hard-bounce"],
  ["email.suppressed", "hard-bounce"],
  ["email.complained", "complaint"],
  ["email.failed", "failed"],
]);

function toEvent(id: string, { type, data }: v.InferOutput<typeof eventSchema>): ProviderEvent | null {
  const email = v.safeParse(emailSchema, data);
  if (!email.success) return null;
  const { to, tags, bounce } = email.output;
  const isSoft = bounce?.type === "Transient" || bounce?.type === "Undetermined";
  const kind = type === "email.bounced" && isSoft ? "soft-bounce" : kinds.get(type);
  if (kind === undefined) return null;
  const about = "letter" in tags ? { letter: tags.letter, entryId: tags.entry } : { emailId: tags.email_id };
  return { id, kind, about, recipient: to[0] };
}
