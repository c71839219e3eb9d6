import type { FeatureServer } from "#app/feature.ts";
import { overviewSection } from "#app/features/overview/section.server.ts";

export const server: FeatureServer = {
  sections: [overviewSection],
};
