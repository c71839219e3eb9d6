import type { FeatureServer } from "#app/feature.ts";
import { readSettings } from "#app/features/settings/settings.server.ts";

export const server: FeatureServer = { readSettings };
