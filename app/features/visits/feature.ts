import type { Feature } from "#app/feature.ts";

export const visits: Feature = {
  name: "visits",
  server: () => import("#app/features/visits/feature.server.ts"),
};
