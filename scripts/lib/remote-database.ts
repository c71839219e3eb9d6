import { drizzle } from "drizzle-orm/sqlite-proxy";
import type { Db } from "#app/server/db/client.server.ts";
import type { Cloudflare } from "#scripts/lib/cloudflare.ts";

/** @returns the id of a D1 database, or null */
export async function findDatabase(cloudflare: Cloudflare, name: string): Promise<string | null> {
  const path = `/d1/database/${encodeURIComponent(name)}`;
  return (await cloudflare.get<{ uuid: string }>("Looking for the D1 database", path))?.uuid ?? null;
}

/**
 * Creates a D1 database. Wrangler would do so only when it deploys, which is after the migrations, and without a
 * jurisdiction.
 *
 * @param jurisdiction where D1 must store the data, such as `eu`
 * @returns its id
 */
export async function createDatabase(cloudflare: Cloudflare, name: string, jurisdiction?: string): Promise<string> {
  const step = `Creating the D1 database ${name}`;
  return (await cloudflare.post<{ uuid: string }>(step, "/d1/database", { name, jurisdiction })).uuid;
}

/**
 * A deployed D1, so that the site's own queries run on the owner's machine.
 *
 * Cloudflare does not document whether the API's batches are transactions, as the binding's are. Changes that must be
 * atomic have to be one statement.
 *
 * https://developers.cloudflare.com/api/resources/d1/subresources/database/methods/raw/
 */
export function openRemoteDatabase(cloudflare: Cloudflare, databaseId: string): Db {
  const send = async (body: object) => {
    const path = `/d1/database/${databaseId}/raw`;
    const results = await cloudflare.post<{ results: { rows: unknown[][] } }[]>("Querying the database", path, body);
    return results.map(({ results: { rows } }) => ({ rows }));
  };
  const db = drizzle(
    async (sql, params) => (await send({ sql, params }))[0] ?? { rows: [] },
    (queries) => send({ batch: queries.map(({ sql, params }) => ({ sql, params })) }),
  );
  // Drizzle's drivers have the same queries and batches; what a write returns without RETURNING is never read.
  return db as unknown as Db;
}
