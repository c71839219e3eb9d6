import type { Feature } from "#app/feature.ts";

export const embed: Feature = {
  name: "embed",
  routes: [
    // Its path has one spelling, since the Worker checks it.
    { path: "/api/embed", file: "features/embed/embed.tsx", caseSensitive: true },
  ],
  server: () => import("#app/features/embed/feature.server.ts"),
};
