import type { Feature } from "#app/feature.ts";

export const overview: Feature = {
  name: "overview",
  server: () => import("#app/features/overview/feature.server.ts"),
};
