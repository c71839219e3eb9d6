import type { Feature } from "#app/feature.ts";

export const log: Feature = {
  name: "log",
  server: () => import("#app/features/log/feature.server.ts"),
};
