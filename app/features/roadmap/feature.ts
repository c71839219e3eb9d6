import type { Feature } from "#app/feature.ts";

export const roadmap: Feature = {
  name: "roadmap",
  routes: [{ path: "/roadmap", file: "features/roadmap/roadmap.tsx" }],
};
