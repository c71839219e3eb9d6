import { desc, eq, type SQL, sql } from "drizzle-orm";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { type SavedFields, savedVersions } from "#app/server/db/schema/owner.server.ts";
import type { NamedSql } from "#app/server/db/sql-batch.server.ts";
import { sha256 } from "#app/server/hashes/random-token.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { DAY, type EpochMillis } from "#app/server/time/units.ts";

/*
 * Two owners, or one in two tabs, can change the same text. Every form that replaces one carries the version of what it
 * shows. If another one is stored by then, the form is refused and both texts are shown. Whatever is saved is kept here.
 */

export type SavedVersion = typeof savedVersions.$inferSelect;

/** How many versions of a text are kept at least, and how long all of them are. */
const KEPT_VERSIONS = 20;
const KEPT_FOR = 30 * DAY;

/** The hidden inputs of a form that replaces a text. */
export interface FormVersion {
  /** Names the text that the form shows. */
  version: string;
  /** Names the page, whose own saves never contradict each other: after *Back*, or a double click. */
  form: string;
}

/**
 * For a form that is shown, or shown again with what was typed: then it keeps its version, because its owner has not seen
 * what is stored by now, unless both texts are shown.
 *
 * @param fields of the stored text
 */
export async function shownVersion(c: OwnerContext, fields: SavedFields, conflict?: Conflict): Promise<FormVersion> {
  const posted = c.var.form ?? new FormData();
  const version = fieldText(posted, "version");
  if (version !== "" && conflict === undefined) return { version, form: fieldText(posted, "form") };
  return { version: await versionOf(fields), form: crypto.randomUUID() };
}

export async function versionOf(fields: SavedFields): Promise<string> {
  return (await sha256(JSON.stringify(fields))).slice(0, 24);
}

export function isSameText(a: SavedFields, b: SavedFields): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

export interface SavedText {
  /** Where its form is posted to. */
  path: string;
  /** What is stored now. */
  present: SavedFields;
  typed: SavedFields;
}

/** A text that was saved after the form was shown. */
export interface Conflict {
  present: SavedFields;
  typed: SavedFields;
  /** Who saved it and when; null if it was not saved by a form. */
  saved: { by: string; at: EpochMillis } | null;
}

/** Whether the posted form replaces a text that its owner has not seen. One without a version replaces any. */
export async function findConflict(c: OwnerContext, { path, present, typed }: SavedText): Promise<Conflict | null> {
  const { form } = c.var;
  const version = fieldText(form, "version");
  if (version === "" || isSameText(present, typed) || version === (await versionOf(present))) return null;
  const latest = await latestVersion(c.var.app.db, path);
  const isPresent = latest !== null && isSameText(latest.fields, present);
  if (isPresent && latest.form !== null && latest.form === fieldText(form, "form")) return null;
  const saved = isPresent && latest.actor !== null ? { by: latest.actor, at: latest.saved_at } : null;
  return { present, typed, saved };
}

export async function latestVersion(db: Db, path: string): Promise<SavedVersion | null> {
  const { path: column, id } = savedVersions;
  const [latest] = await db.select().from(savedVersions).where(eq(column, path)).orderBy(desc(id)).limit(1);
  return latest ?? null;
}

const LISTED_VERSIONS = 500;

/** Newest first, with the length of each text. */
export function listVersions(db: Db, path: string) {
  const { id, actor, is_draft, saved_at } = savedVersions;
  const characters = sql<number>`(SELECT total(length(value ->> 1)) FROM json_each(${savedVersions.fields}))`;
  return db
    .select({ id, actor, is_draft, saved_at, characters })
    .from(savedVersions)
    .where(eq(savedVersions.path, path))
    .orderBy(desc(id))
    .limit(LISTED_VERSIONS);
}

export async function findVersion(db: Db, id: number): Promise<SavedVersion | null> {
  const [found] = await db.select().from(savedVersions).where(eq(savedVersions.id, id));
  return found ?? null;
}

interface Saving extends SavedText {
  /** Whether the text is still as it was read. Each statement asks, so they go before the one that changes it. */
  isUnchanged: SQL;
  /** The person whom a note is about. */
  entryId?: number;
  /** The version that this one takes the place of. */
  supersedes?: number | null;
}

/** Statements that keep what is saved, for the batch that saves it; none if the text stays the same. */
export function keepVersions(c: OwnerContext, saving: Saving): NamedSql[] {
  const { path, present, typed, isUnchanged, entryId, supersedes = null } = saving;
  if (isSameText(present, typed)) return [];
  const { app, form, owner } = c.var;
  const values = {
    path,
    present: JSON.stringify(present),
    typed: JSON.stringify(typed),
    actor: owner.email,
    form: fieldText(form, "form") || null,
    is_draft: form.get("autosave") === "yes",
    entry_id: entryId ?? null,
    now: app.now(),
    supersedes,
    kept: KEPT_VERSIONS,
    kept_since: app.now() - KEPT_FOR,
  };
  const isEmpty = present.every(([, value]) => value === "");
  const texts = [...(isEmpty ? [] : [KEEP_PRESENT]), KEEP_TYPED, DELETE_SUPERSEDED, DELETE_OLD];
  return texts.map((text) => ({ text, values, parts: { is_unchanged: isUnchanged } }));
}

const NEWEST = "(SELECT max(id) FROM saved_versions WHERE path = :path)";

/** A text from before the first save, or from elsewhere, such as an import. */
const KEEP_PRESENT = `INSERT INTO saved_versions (path, fields, entry_id, saved_at)
  SELECT :path, :present, :entry_id, :now
  WHERE {is_unchanged} AND NOT EXISTS (SELECT 1 FROM saved_versions WHERE id = ${NEWEST} AND fields = :present)`;

const KEEP_TYPED = `INSERT INTO saved_versions (path, fields, actor, form, is_draft, entry_id, saved_at)
  SELECT :path, :typed, :actor, :form, :is_draft, :entry_id, :now WHERE {is_unchanged}`;

const DELETE_SUPERSEDED = "DELETE FROM saved_versions WHERE id = :supersedes AND {is_unchanged}";

const DELETE_OLD = `DELETE FROM saved_versions WHERE path = :path AND saved_at < :kept_since
  AND id NOT IN (SELECT id FROM saved_versions WHERE path = :path ORDER BY id DESC LIMIT :kept)`;
