import type { FeatureServer } from "#app/feature.ts";
import { sendWebhooks } from "#app/features/webhooks/deliver.server.ts";
import { isUnwanted } from "#app/features/webhooks/endpoints.server.ts";
import { webhooksSection } from "#app/features/webhooks/section.server.ts";

export const server: FeatureServer = {
  sections: [webhooksSection],
  unwantedJobs: isUnwanted,
  // With runs of its own, so that a slow receiver delays no email.
  trigger: { cron: "*/2 * * * *", run: sendWebhooks },
};
