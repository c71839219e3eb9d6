import { webhooksPart } from "#app/features/webhooks/openapi.server.ts";
import { webhooks } from "#app/switches.ts";

export const parts = webhooks ? [webhooksPart] : [];
