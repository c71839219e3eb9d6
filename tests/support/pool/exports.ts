import { env } from "cloudflare:test";
import type { ExportDeps } from "#app/features/entries/export.server.ts";
import type { Db } from "#app/server/db/client.server.ts";

/** What an export needs, with the tests' keys. */
export function exportDeps(db: Db): ExportDeps {
  return { db, hashKey: env.HASH_KEY, now: Date.now };
}
