import type { Feature } from "#app/feature.ts";

export const importFeature: Feature = {
  name: "import",
  server: () => import("#app/features/import/feature.server.ts"),
};
