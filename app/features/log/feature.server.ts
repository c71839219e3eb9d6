import type { FeatureServer } from "#app/feature.ts";
import { logSection } from "#app/features/log/section.server.ts";

export const server: FeatureServer = {
  sections: [logSection],
};
