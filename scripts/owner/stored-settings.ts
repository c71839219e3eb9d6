import { restoreOwner } from "#app/features/settings/restore-owner.server.ts";
import { readSettings } from "#app/features/settings/settings.server.ts";
import { mergeSettings, type StoredSettings, setSiteSettings } from "#app/server/config/settings.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import type { OpenDatabase } from "#scripts/owner/database.ts";

/* All that the commands take from the feature, so that a site can do without it. */

export const readStored: (db: Db) => Promise<StoredSettings> = readSettings;

/** Takes back an owner whom the page has removed. `variable`: the value of OWNER_EMAIL. */
export const takeBackOwner: (
  db: Db,
  owner: { variable: string | undefined; email: string },
  now: EpochMillis,
) => Promise<void> = restoreOwner;

/** Makes what owners have set on the page hold in this process, such as the questions. */
export async function applyStoredSettings({ db, settings }: Pick<OpenDatabase, "db" | "settings">): Promise<void> {
  setSiteSettings(mergeSettings(settings, await readStored(db)).settings);
}
