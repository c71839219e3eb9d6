import type { Feature } from "#app/feature.ts";

export const webhooks: Feature = {
  name: "webhooks",
  server: () => import("#app/features/webhooks/feature.server.ts"),
};
