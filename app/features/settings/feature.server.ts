import type { FeatureServer } from "#app/feature.ts";
import { settingsSection } from "#app/features/settings/section.server.ts";
import { readSettings } from "#app/features/settings/settings.server.ts";

export const server: FeatureServer = { readSettings, sections: [settingsSection] };
