import type { Feature } from "#app/feature.ts";

export const settings: Feature = {
  name: "settings",
  server: () => import("#app/features/settings/feature.server.ts"),
};
