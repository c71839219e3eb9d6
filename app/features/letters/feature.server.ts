import type { FeatureServer } from "#app/feature.ts";
import { letterPages } from "#app/features/letters/public/collection.server.ts";
import { letterBatches } from "#app/features/letters/send/cron.server.ts";
import { seriesSection } from "#app/features/letters/series/section.server.ts";
import { lettersSection } from "#app/features/letters/write/section.server.ts";
import { series } from "#app/switches.ts";

export const server: FeatureServer = {
  sections: [lettersSection, ...(series ? [seriesSection] : [])],
  collection: letterPages,
  batches: letterBatches,
};
