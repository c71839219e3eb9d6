import type { Feature } from "#app/feature.ts";

export const api: Feature = {
  name: "api",
  server: () => import("#app/features/api/feature.server.ts"),
};
