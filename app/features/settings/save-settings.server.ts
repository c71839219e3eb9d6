import type { SQL } from "drizzle-orm";
import { announceChanges, type SettingChange } from "#app/features/settings/announce.server.ts";
import {
  isUnchangedFrom,
  type SettingsRow,
  storeSettings,
  withValues,
} from "#app/features/settings/settings.server.ts";
import { recordStatement } from "#app/owner/log.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { keepVersions } from "#app/owner/versions/versions.server.ts";
import { applySettings } from "#app/server/config/env-config.server.ts";
import {
  ownersWith,
  type SettingName,
  type StoredSettings,
  settingProblem,
} from "#app/server/config/settings.server.ts";
import type { SavedFields } from "#app/server/db/schema/owner.server.ts";

interface Saving {
  /** Where the form is posted to. */
  path: string;
  /** The form's fields as they are stored, and as they were typed. */
  present: SavedFields;
  typed: SavedFields;
  /** By name; null goes back to the variable, or to app/site.ts. */
  values: Partial<Record<SettingName, string | null>>;
  changes: readonly SettingChange[];
  /** Further statements for the same batch, which ask whether the row is still as it was read. */
  also?: (isUnchanged: SQL) => SQL[];
}

/**
 * Saves changed settings with their version, the lines of the log and the emails to owners, in one batch. This isolate has
 * them at once.
 *
 * @returns whether the row was still as it was read
 * @throws if the owner was removed after this request began
 */
export async function saveSettings(c: OwnerContext, row: SettingsRow, saving: Saving): Promise<boolean> {
  const { app, owner } = c.var;
  const { path, present, typed, values, changes, also } = saving;
  const now = app.now();
  for (const [name, text] of Object.entries(values)) {
    const problem = text === null ? null : settingProblem(name, text);
    if (problem !== null) throw new Error(`${name} ${problem}`);
  }
  const before = ownersBy(c, row.stored);
  if (!before.includes(owner.email)) throw new Error("the owner who changes settings was removed meanwhile");
  const after = ownersBy(c, withValues(row.stored, values));
  const isUnchanged = isUnchangedFrom(row);
  const announcement = { by: owner.email, at: now, changes, owners: [...before, ...after] };
  const saved = await storeSettings(app.db, row, { values, now }, [
    ...keepVersions(c, { path, present, typed, isUnchanged }),
    ...changes.map(({ label, from, to }) =>
      recordStatement(
        { by: owner.email, action: "change-setting", details: { setting: label, from, to } },
        now,
        isUnchanged,
      ),
    ),
    ...(await announceChanges(app.db, announcement, isUnchanged)),
    ...(also?.(isUnchanged) ?? []),
  ]);
  if (saved !== null) applySettings(c.env as Env, saved, now);
  return saved !== null;
}

/** The addresses of the owners with what is stored. */
export function ownersBy(c: OwnerContext, stored: StoredSettings): string[] {
  return ownersWith(ownerVariable(c), stored);
}

/** The value of OWNER_EMAIL. */
export function ownerVariable({ env }: OwnerContext): string | undefined {
  return (env as { OWNER_EMAIL?: string }).OWNER_EMAIL;
}
