import type { FeatureServer } from "#app/feature.ts";
import { emailsSection } from "#app/features/wordings/section.server.ts";

export const server: FeatureServer = {
  sections: [emailsSection],
};
