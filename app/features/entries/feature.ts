import type { Feature } from "#app/feature.ts";

export const entries: Feature = {
  name: "entries",
  server: () => import("#app/features/entries/feature.server.ts"),
};
