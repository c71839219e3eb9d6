import { createSignInLink } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { readOwnerAddresses } from "#app/server/config/config-values.server.ts";
import { openLocalDatabase } from "#scripts/lib/local-database.ts";

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
  const [email] = readOwnerAddresses(ownerEmail);
  if (email === undefined) return null;
  using database = openLocalDatabase(persistTo);
  return await createSignInLink(database.db, { siteUrl: origin, email }, Date.now());
}
