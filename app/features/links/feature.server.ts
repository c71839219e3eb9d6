import type { FeatureServer } from "#app/feature.ts";
import { linksSection } from "#app/features/links/section.server.ts";

export const server: FeatureServer = {
  sections: [linksSection],
};
