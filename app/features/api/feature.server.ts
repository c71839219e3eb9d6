import type { FeatureServer } from "#app/feature.ts";
import { apiKeysSection } from "#app/features/api/keys/section.server.ts";

export const server: FeatureServer = {
  sections: [apiKeysSection],
  // Loaded with its first request, so that the Worker's start-up stays small.
  mount(app) {
    app.all("/api/v1/*", async (c) => {
      const { v1 } = await import("#app/features/api/v1/index.server.ts");
      return v1.fetch(c.req.raw, { app: c.var.app, limit: c.env.API_LIMIT });
    });
  },
};
