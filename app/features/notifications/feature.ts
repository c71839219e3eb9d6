import type { Feature } from "#app/feature.ts";

export const notifications: Feature = {
  name: "notifications",
  server: () => import("#app/features/notifications/feature.server.ts"),
};
