import type { FeatureServer } from "#app/feature.ts";
import { isUnwanted } from "#app/features/webhooks/endpoints.server.ts";
import { webhooksSection } from "#app/features/webhooks/section.server.ts";

export const server: FeatureServer = {
  sections: [webhooksSection],
  unwantedJobs: isUnwanted,
  // With runs of its own, so that a slow receiver delays no email.
  trigger: {
    cron: "*/2 * * * *",
    async run(app) {
      // On demand, because few sites have webhooks.
      const { runWebhooks } = await import("#app/features/webhooks/cron.server.ts");
      await runWebhooks(app);
    },
  },
};
