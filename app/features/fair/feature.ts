import type { Feature } from "#app/feature.ts";

export const fair: Feature = {
  name: "fair",
  server: () => import("#app/features/fair/feature.server.ts"),
};
