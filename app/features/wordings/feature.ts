import type { Feature } from "#app/feature.ts";

export const wordings: Feature = {
  name: "wordings",
  server: () => import("#app/features/wordings/feature.server.ts"),
};
