import { eventLabelsOf, events } from "#app/features/webhooks/events.ts";
import { testBody } from "#app/features/webhooks/payload.server.ts";
import type { WebhookEvent } from "#app/server/db/schema/webhooks.server.ts";
import { described, type JsonSchema, type OpenApiPart, objectOf, orNull, refTo } from "#app/server/http/openapi.ts";
import { series } from "#app/switches.ts";
import { statuses } from "#app/waitlist/confirmation/confirmation.ts";

const { text, count, time } = described;

const TAG = "Webhooks";

/** When the events of examples happen. */
const EXAMPLE_TIME = Date.UTC(2026, 10, 26, 9, 30);

/** The events that endpoints are sent, for the OpenAPI document. docs/webhooks.md has the same in words. */
export function webhooksPart(): OpenApiPart {
  return {
    tags: [
      {
        name: TAG,
        description:
          "What the site sends to the endpoints on the owner’s page “Webhooks”, signed as Standard Webhooks says. An event may come twice, with the same `webhook-id`, and out of order.",
      },
    ],
    webhooks: Object.fromEntries(events.map((event) => [event, { post: operation(event) }])),
    components: { schemas: { EntryEvent: entry, MilestoneEvent: milestone, LetterEvent: letter }, parameters },
  };
}

function operation(event: WebhookEvent) {
  return {
    operationId: `on${event.replaceAll(/(?:^|\.)[a-z]/g, (part) => part.slice(-1).toUpperCase())}`,
    summary: eventLabelsOf([event])[event] ?? event,
    description: descriptions[event],
    tags: [TAG],
    security: [],
    parameters: Object.keys(parameters).map((name) => refTo("parameters", name)),
    requestBody: {
      required: true as const,
      content: { "application/json": { schema: eventSchema(event), example: exampleOf(event) } },
    },
    responses: {
      "2XX": { description: "The event is accepted. Respond within 15 seconds." },
      "410": { description: "The endpoint is turned off. Its events wait until it is turned on." },
      "4XX": {
        description:
          "The event is sent again later, ten times within about three days. The same happens with any other status.",
      },
    },
  };
}

const descriptions: Record<WebhookEvent, string> = {
  "entry.joined":
    "By a form, by the owner, by an import, or again after they had left. Where people have to confirm their address, wait for `entry.confirmed` before you write to anyone.",
  "entry.confirmed": "Where people have to confirm their address.",
  "entry.answered": "Also when answers are removed, but not with those given while joining.",
  "entry.changed": "`status` is `unconfirmed` if the new address has to be confirmed.",
  "entry.unsubscribed": "By their own choice, by the owner’s, or by a report of spam.",
  "entry.erased": "By the person, by the owner, or because it was kept for long enough. `data` has only `entry_id`.",
  "milestone.reached": "`friends` is the number that the reward needs.",
  "letter.finished": `When it was sent to everyone.${series ? " Follow-ups do not count." : ""}`,
};

const signed = { in: "header", required: true } as const;

const parameters = {
  "webhook-id": {
    ...signed,
    name: "webhook-id",
    description: "Names the event. The same whenever it is sent.",
    schema: { type: "string" },
  },
  "webhook-timestamp": {
    ...signed,
    name: "webhook-timestamp",
    description: "When it was sent, in seconds since 1970. Refuse what is older than five minutes.",
    schema: { type: "string", pattern: "^\\d+$" },
  },
  "webhook-signature": {
    ...signed,
    name: "webhook-signature",
    description:
      "`v1,` and the HMAC-SHA-256 of id, timestamp and body in base64. Two of them for a day after the secret was replaced.",
    schema: { type: "string", pattern: "^v1,\\S+( v1,\\S+)?$" },
  },
};

const entryMembers = {
  entry_id: { type: "integer", minimum: 0, description: "The entry. 0 in a test event." },
  source: text("Where they signed up."),
  status: text("As in an entry.", { enum: Object.keys(statuses) }),
  joined_at: time("When they joined, in UTC."),
  confirmed_at: orNull(time("When they confirmed their address, in UTC.")),
  unsubscribe_reason: text("How they left. Only of those who have.", {
    enum: ["own-choice", "complaint", "bounce", "owner", "import"],
  }),
  email: text("The address. Only for endpoints with personal data."),
  answers: {
    type: "object",
    additionalProperties: { type: "string" },
    description: "What they answered, by question. Only for endpoints with personal data.",
  },
} satisfies Record<string, JsonSchema>;

/** All else is missing once the entry is erased. */
const optional = Object.keys(entryMembers).filter((name) => name !== "entry_id");

const entry: JsonSchema = {
  ...objectOf(entryMembers, optional),
  description: "The entry as it is when the event is sent. Once it is erased, only `entry_id` is left.",
};

const milestone = objectOf({ ...entryMembers, friends: count("How many friends they have brought.") }, optional);

const letter = objectOf({
  letter_id: { type: "integer", minimum: 0, description: "The letter. 0 in a test event." },
  expected: count("How many people it was for."),
  sent: count("Emails that the provider accepted."),
  skipped: count("People who were not sent it."),
  failed: count("Emails that the provider refused."),
  unknown: count("Emails that may or may not have been sent."),
  bounced: count("Permanent bounces."),
  bounced_softly: count("Temporary bounces."),
  complained: count("People who reported it as spam."),
  unsubscribed: count("People who left because of it."),
});

function eventSchema(event: WebhookEvent): JsonSchema {
  const data = { "milestone.reached": "MilestoneEvent", "letter.finished": "LetterEvent" }[event as string];
  return objectOf(
    {
      type: text("What happened.", { const: event }),
      timestamp: time("When it happened, in UTC."),
      test: { type: "boolean", const: true, description: "Only in test events, which are about an invented person." },
      data: refTo("schemas", data ?? "EntryEvent"),
    },
    ["test"],
  );
}

function exampleOf(event: WebhookEvent): unknown {
  return JSON.parse(testBody(event, { has_personal_data: true }, EXAMPLE_TIME));
}
