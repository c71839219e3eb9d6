import { createSignInLink } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { ownersWith } from "#app/server/config/settings.server.ts";
import { openLocalDatabase } from "#scripts/lib/local-database.ts";
import { readStored } from "#scripts/owner/stored-settings.ts";

/**
 * Creates a sign-in link for the first owner of a local site.
 *
 * @param ownerEmail the value of OWNER_EMAIL
 * @returns null if the site has no owner
 */
export async function createLocalSignInLink(
  persistTo: string,
  origin: string,
  ownerEmail: string | undefined,
): Promise<string | null> {
  using database = openLocalDatabase(persistTo);
  const [email] = ownersWith(ownerEmail, await readStored(database.db));
  return email === undefined ? null : await createSignInLink(database.db, { siteUrl: origin, email }, Date.now());
}
