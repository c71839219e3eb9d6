import { signToken, verifyToken } from "#app/server/signed-token.server.ts";

/**
 * Tokens that give access to one entry. They do not expire, since an email may be opened years later; ids are never
 * reused, so an old token cannot match another person's entry.
 *
 * A token to unsubscribe can do nothing else, and is signed with `HASH_KEY`: replacing `LINK_SECRET` must not break the
 * unsubscribe links that were already sent.
 */
type EntryPurpose = "your-data:v1" | "unsubscribe:v1" | "confirm:v1";

export function signEntryToken(purpose: EntryPurpose, entryId: number, secret: string): Promise<string> {
  return signToken(purpose, entryId.toString(36), secret);
}

/** Returns the entry's id, or null for an invalid token. */
export async function verifyEntryToken(
  purpose: EntryPurpose,
  token: string,
  secrets: string[],
): Promise<number | null> {
  const id = await verifyToken(purpose, token, secrets);
  return id === null ? null : Number.parseInt(id, 36);
}
