import { readSettings } from "#app/features/settings/settings.server.ts";
import { mergeSettings, setSiteSettings } from "#app/server/config/settings.server.ts";
import type { OpenDatabase } from "#scripts/owner/database.ts";

/** Makes what owners have set on the page hold in this process, such as the questions. */
export async function applyStoredSettings({ db, settings }: Pick<OpenDatabase, "db" | "settings">): Promise<void> {
  setSiteSettings(mergeSettings(settings, await readSettings(db)).settings);
}
