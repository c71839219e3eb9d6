import type { FeatureServer } from "#app/feature.ts";
import { embedGuards } from "#app/features/embed/embed-guards.server.ts";
import { embedSection } from "#app/features/embed/section.server.ts";

export const server: FeatureServer = {
  sections: [embedSection],
  mount: (app, renderPage) => app.use("/api/embed", ...embedGuards(renderPage)),
};
