import { and, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { insertWhere } from "#app/server/db/insert-where.server.ts";
import { type ApiScope, apiKeys } from "#app/server/db/schema/api-keys.server.ts";
import { utcDay } from "#app/server/time/calendar.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/** Every key begins with it, so that scanners for leaked secrets find keys. */
const KEY_PREFIX = "swk_";

/** 32 random bytes in base64url. */
export const keyForm = new RegExp(`^${KEY_PREFIX}[\\w-]{43}$`);

/** Most of a key, or a whole one, somewhere in a text. Words that begin with the prefix are no keys. */
export const keyPart = new RegExp(`${KEY_PREFIX}[\\w-]{16}`);

/** Keys that work at the same time. */
export const MAX_KEYS = 50;

const MAX_REVOKED = 20;

export type ApiKey = typeof apiKeys.$inferSelect;

/** SHA-256 in hex. A key is random, so that its hash needs neither salt nor secret. */
export async function hashKey(key: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key))).toHex();
}

/** Fails if there are {@link MAX_KEYS}, or one that works has the name. @returns the key itself, which nothing else holds */
export async function createKey(
  db: Db,
  { name, scopes }: { name: string; scopes: ApiScope[] },
  now: EpochMillis,
): Promise<{ kind: "created"; id: number; key: string } | { kind: "taken" | "too-many" }> {
  const random = crypto.getRandomValues(new Uint8Array(32));
  const key = KEY_PREFIX + random.toBase64({ alphabet: "base64url", omitPadding: true });
  const working = sql`FROM api_keys AS other WHERE other.revoked_at IS NULL`;
  const hasRoom = sql`(SELECT count(*) ${working}) < ${MAX_KEYS}`;
  const isFree = sql`NOT EXISTS (SELECT 1 ${working} AND other.name = ${name} COLLATE NOCASE)`;
  const [created] = await insertWhere(db, apiKeys, sql`${hasRoom} AND ${isFree}`)
    .values({ name, hash: await hashKey(key), scopes, created_at: now })
    .returning({ id: apiKeys.id });
  if (created !== undefined) return { kind: "created", id: created.id, key };
  return { kind: (await listKeys(db)).length < MAX_KEYS ? "taken" : "too-many" };
}

export function listKeys(db: Db): Promise<ApiKey[]> {
  return db.select().from(apiKeys).where(isNull(apiKeys.revoked_at)).orderBy(desc(apiKeys.id)).limit(MAX_KEYS);
}

export function listRevokedKeys(db: Db): Promise<ApiKey[]> {
  const { revoked_at } = apiKeys;
  return db.select().from(apiKeys).where(isNotNull(revoked_at)).orderBy(desc(revoked_at)).limit(MAX_REVOKED);
}

/** A key that works, by its hash: one look-up in an index, so that a revoked key is refused at once. */
export async function findKey(db: Db, hash: string): Promise<ApiKey | null> {
  const [found] = await db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.hash, hash), isNull(apiKeys.revoked_at)));
  return found ?? null;
}

/** @returns the key, or null if there is none that works */
export async function revokeKey(db: Db, id: number, now: EpochMillis): Promise<ApiKey | null> {
  const [revoked] = await db
    .update(apiKeys)
    .set({ revoked_at: now })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revoked_at)))
    .returning();
  return revoked ?? null;
}

/** Writes once a day. */
export async function noteUse(db: Db, { id, last_used_day }: ApiKey, now: EpochMillis): Promise<void> {
  const day = utcDay(now);
  if (last_used_day === day) return;
  await db
    .update(apiKeys)
    .set({ last_used_day: day })
    .where(and(eq(apiKeys.id, id), sql`${apiKeys.last_used_day} IS NOT ${day}`));
}
