import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { createSignInLink } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { readOwnerAddresses } from "#app/server/config-values.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";

/**
 * Creates a sign-in link for the first owner of a local site. Opens the database without Cloudflare's runtime, which takes
 * seconds to start.
 *
 * @param ownerEmail the value of OWNER_EMAIL
 * @returns null if the site has no owner
 */
export async function createLocalSignInLink(
  persistTo: string,
  origin: string,
  ownerEmail: string | undefined,
): Promise<string | null> {
  const [email] = readOwnerAddresses(ownerEmail);
  if (email === undefined) return null;
  using database = new DatabaseSync(databaseFile(persistTo), { timeout: 5_000 });
  const run = (sql: string, params: SQLInputValue[]) => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return { rows: statement.all(...params) };
  };
  const db = drizzle(
    async (sql, params) => run(sql, params),
    async (queries) => queries.map(({ sql, params }) => run(sql, params)),
  );
  // Drizzle's drivers have the same queries and batches, and the function calls nothing else.
  return await createSignInLink(db as unknown as Db, { siteUrl: origin, email }, Date.now());
}
