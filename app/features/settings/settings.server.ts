import { eq, type SQL, sql } from "drizzle-orm";
import { type SettingName, type StoredSettings, settingProblem } from "#app/server/config/settings.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { savedVersions, settings } from "#app/server/db/schema/owner.server.ts";
import { type NamedSql, runBatch } from "#app/server/db/sql-batch.server.ts";
import { logError } from "#app/server/log.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/*
 * The row of what owners have set. Everything that reads it goes through `readSettings`, once in a while for each isolate;
 * only the page for settings changes it.
 */

const ROW = 1;

export const SETTINGS_PATH = "/owner/settings";

/** The field of a setting in forms and versions: `launch-url` for `LAUNCH_URL`. */
export function fieldOf(name: SettingName): string {
  return name.toLowerCase().replaceAll("_", "-");
}

function settingOf(field: string): string {
  return field.toUpperCase().replaceAll("-", "_");
}

/** The stored settings; none if there is no row. A row that is no JSON object is replaced by the versions of its groups. */
export async function readSettings(db: Db): Promise<StoredSettings> {
  return (await readRow(db)).stored;
}

export interface SettingsRow {
  stored: StoredSettings;
  /** As it is in the database; null if there is none. */
  text: string | null;
  /** Whether the row cannot be read as it is. */
  isBroken: boolean;
}

export async function readRow(db: Db): Promise<SettingsRow> {
  const [row] = await db.select({ text: settings.stored }).from(settings).where(eq(settings.id, ROW));
  if (row === undefined) return { stored: {}, text: null, isBroken: false };
  const stored = parseStored(row.text);
  const isBroken = stored === null || strictNames.some((name) => settingProblem(name, stored[name] ?? "") !== null);
  if (!isBroken) return { stored, text: row.text, isBroken };
  logError("settings-broken", new Error("the row of settings cannot be read"));
  const sound = Object.entries(stored ?? {}).filter(([name, text]) => settingProblem(name, text) === null);
  return {
    stored: { ...strictest, ...Object.fromEntries(sound), ...(await readVersions(db)) },
    text: row.text,
    isBroken,
  };
}

function parseStored(text: string): StoredSettings | null {
  try {
    const parsed: unknown = JSON.parse(text);
    const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    if (!isObject || !Object.values(parsed).every((value) => typeof value === "string")) return null;
    return parsed as StoredSettings;
  } catch {
    return null;
  }
}

/** What must never become weaker because a row is broken. */
const strictNames = ["OWNERS_ADDED", "OWNERS_REMOVED", "CONFIRM_ADDRESSES", "MAIL_PER_HOUR", "DISPOSABLE"] as const;

/** Where there is no version either. `OWNER_EMAIL` lets in. */
const strictest: StoredSettings = { CONFIRM_ADDRESSES: "on" };

/** The last version of each group: its fields have the names of settings. Those of lists have other names, and do not count. */
async function readVersions(db: Db): Promise<StoredSettings> {
  const found = await db
    .select({ fields: savedVersions.fields })
    .from(savedVersions)
    .where(
      sql`id IN (SELECT max(id) FROM saved_versions WHERE path >= ${`${SETTINGS_PATH}/`} AND path < ${`${SETTINGS_PATH}0`} GROUP BY path)`,
    );
  const texts = found.flatMap(({ fields }) => fields).map(([field, text]) => [settingOf(field), text] as const);
  return Object.fromEntries(texts.filter(([name, text]) => settingProblem(name, text) === null));
}

/** Whether the row is still as it was read, for the statements of a batch. */
export function isUnchangedFrom({ text }: Pick<SettingsRow, "text">): SQL {
  return sql`(SELECT stored FROM settings WHERE id = ${ROW}) IS ${text}`;
}

export function withValues(
  stored: StoredSettings,
  values: Partial<Record<SettingName, string | null>>,
): StoredSettings {
  return Object.fromEntries(Object.entries({ ...stored, ...values }).filter(([, value]) => value !== null));
}

/**
 * Stores changed settings, if the row is still as it was read. `null` goes back to the variable, or to app/site.ts.
 *
 * @param before statements for the same batch, which go before the change
 * @returns all that is stored then; null if the row has changed since it was read
 */
export async function storeSettings(
  db: Db,
  row: SettingsRow,
  change: { values: Partial<Record<SettingName, string | null>>; now: EpochMillis },
  before: (NamedSql | SQL)[] = [],
): Promise<StoredSettings | null> {
  const all = withValues(row.stored, change.values);
  const write = sql`INSERT INTO settings (id, stored, saved_at)
    SELECT ${ROW}, ${JSON.stringify(all)}, ${change.now} WHERE ${isUnchangedFrom(row)}
    ON CONFLICT (id) DO UPDATE SET stored = excluded.stored, saved_at = excluded.saved_at
    RETURNING id`;
  const results = await runBatch(db, [...before, write]);
  return (results.at(-1) ?? []).length > 0 ? all : null;
}
