import type { Db } from "#app/server/db/client.server.ts";
import type { Cloudflare } from "#scripts/lib/cloudflare.ts";
import { openAsD1, type Rows } from "#scripts/lib/d1-client.ts";

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
  const path = `/d1/database/${databaseId}/raw`;
  return openAsD1(async (statements) => {
    const body = statements.length === 1 ? statements[0] : { batch: statements };
    const found = await cloudflare.post<{ results: Rows }[]>("Querying the database", path, { ...body });
    return found.map(({ results }) => results);
  });
}
