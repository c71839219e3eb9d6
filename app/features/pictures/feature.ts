import type { Feature } from "#app/feature.ts";

/** The pictures that owners upload in other features: serves them, and deletes those that nothing shows. */
export const pictures: Feature = {
  name: "pictures",
  server: () => import("#app/features/pictures/feature.server.ts"),
};
