import { sha256 } from "#app/server/hashes/random-token.server.ts";

/** One of the addresses in `OWNER_EMAIL`. */
export interface Owner {
  /**
   * What the database stores instead of the address: part of its SHA-256 hash. Not a keyed hash, because `npm run owner`
   * creates sign-in links without the site's secrets.
   */
  id: string;
  /** As `normaliseEmail` returns it. */
  email: string;
}

/** @param emails as `normaliseEmail` returns them */
export function identifyOwners(emails: readonly string[]): Promise<Owner[]> {
  return Promise.all(emails.map(async (email) => ({ id: await ownerId(email), email })));
}

/** The `id` of an {@link Owner}: 16 hexadecimal digits. */
export async function ownerId(email: string): Promise<string> {
  return (await sha256(`owner:v1:${email}`)).slice(0, 16);
}
