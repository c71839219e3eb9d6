import { type SettingsRow, storeSettings } from "#app/features/settings/settings.server.ts";
import { recordStatement } from "#app/owner/log.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { keepVersions } from "#app/owner/versions/versions.server.ts";
import { applySettings } from "#app/server/config/env-config.server.ts";
import type { SettingName } from "#app/server/config/settings.server.ts";
import type { SavedFields } from "#app/server/db/schema/owner.server.ts";

/** A change of one setting, as people read it. */
export interface SettingChange {
  name: SettingName;
  label: string;
  from: string;
  to: string;
}

interface Saving {
  /** Where the form is posted to. */
  path: string;
  /** The form's fields as they are stored, and as they were typed. */
  present: SavedFields;
  typed: SavedFields;
  /** By name; null goes back to the variable, or to app/site.ts. */
  values: Partial<Record<SettingName, string | null>>;
  changes: readonly SettingChange[];
}

/**
 * Saves changed settings with their version and the lines of the log, in one batch. This isolate has them at once.
 *
 * @returns whether the row was still as it was read
 */
export async function saveSettings(c: OwnerContext, row: SettingsRow, saving: Saving): Promise<boolean> {
  const { app, owner } = c.var;
  const { path, present, typed, values, changes } = saving;
  const now = app.now();
  const saved = await storeSettings(app.db, row, { values, now }, (isUnchanged) => [
    ...keepVersions(c, { path, present, typed, isUnchanged }),
    ...changes.map(({ label, from, to }) =>
      recordStatement(
        { by: owner.email, action: "change-setting", details: { setting: label, from, to } },
        now,
        isUnchanged,
      ),
    ),
  ]);
  if (saved !== null) applySettings(c.env, saved, now);
  return saved !== null;
}
