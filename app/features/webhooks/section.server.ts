import { changeEndpointPage, showEndpoint } from "#app/features/webhooks/endpoint-page.server.tsx";
import { addWebhook, endpointsInNeed, showWebhooks } from "#app/features/webhooks/webhooks-page.server.tsx";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";

/** The largest form: a character of a URL takes up to nine bytes when it is encoded, and a long one is shown again. */
const MAX_FORM_BYTES = 16 * 1_024;

export const webhooksSection: OwnerSection = {
  section: "webhooks",
  link: { href: "/owner/webhooks", name: "Webhooks", group: "Connect" },
  routes: [
    { method: "get", path: "/webhooks", handler: (c) => showWebhooks(c) },
    { method: "post", path: "/webhooks", handler: addWebhook, maxBody: MAX_FORM_BYTES },
    { method: "get", path: "/webhooks/:id", handler: (c) => showEndpoint(c) },
    { method: "post", path: "/webhooks/:id", handler: changeEndpointPage, maxBody: MAX_FORM_BYTES },
  ],
  outcomes: {
    "endpoint-added": "The endpoint is added. Give its signing secret to the receiver, then send a test event.",
    "endpoint-changed": "The endpoint is changed.",
    "endpoint-on": "The endpoint is on. Events that waited are sent within two minutes.",
    "endpoint-off": "The endpoint is off. Waiting events stay stored, and no new ones are recorded.",
    "endpoint-deleted": "The endpoint is deleted.",
    "secret-replaced": "There is a new signing secret. For 24 hours, events are signed with the old one too.",
    "endpoint-tested": "The receiver accepted the test event.",
    "event-again": "The event will be sent again within two minutes.",
    "events-again": "The events will be sent again, starting within two minutes.",
    "many-again":
      "There are too many events to send again at once, so the oldest go first. Once they have gone, press the button below again for the next ones.",
    "nothing-again": "No events match, so none are sent again.",
  },
  subject: { key: "endpointId", name: "endpoint", path: "/owner/webhooks", endedBy: "delete-endpoint" },
  attention: endpointsInNeed,
};
