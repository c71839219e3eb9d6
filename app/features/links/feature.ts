import type { Feature } from "#app/feature.ts";

export const links: Feature = {
  name: "links",
  server: () => import("#app/features/links/feature.server.ts"),
};
