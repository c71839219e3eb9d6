import { signToken, verifyToken } from "#app/server/hashes/signed-token.server.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

/**
 * Tokens that do one thing to one entry. They do not expire, since an email may be opened years later; ids are never
 * reused, so an old token cannot match another person's entry.
 *
 * A token to unsubscribe is signed with `HASH_KEY`: replacing `LINK_SECRET` must not break the unsubscribe links that
 * were already sent.
 */
type EntryPurpose = "unsubscribe:v1" | "confirm:v1";

export function signEntryToken(purpose: EntryPurpose, entryId: number, secret: string): Promise<string> {
  return signToken(purpose, entryId.toString(36), secret);
}

export async function verifyEntryToken(
  purpose: EntryPurpose,
  token: string,
  secrets: string[],
): Promise<number | null> {
  const id = await verifyToken(purpose, token, secrets);
  return id === null || id.includes("-") ? null : Number.parseInt(id, 36);
}

/**
 * A token that confirms the address that an entry has now, not one that an owner gives it later: people who read the emails to
 * the old address must not confirm the new one.
 *
 * @param addressChangedAt of the entry
 */
export function signConfirmToken(
  entryId: number,
  addressChangedAt: EpochMillis | null,
  secret: string,
): Promise<string> {
  if (addressChangedAt === null) return signEntryToken("confirm:v1", entryId, secret);
  return signToken("confirm:v1", `${entryId.toString(36)}-${addressChangedAt.toString(36)}`, secret);
}

export async function verifyConfirmToken(token: string, secrets: string[]) {
  const id = await verifyToken("confirm:v1", token, secrets);
  if (id === null) return null;
  const [entryId = "", changedAt] = id.split("-");
  return {
    entryId: Number.parseInt(entryId, 36),
    addressChangedAt: changedAt === undefined ? null : Number.parseInt(changedAt, 36),
  };
}

/** How long a link to an entry works, counted from the time its email was queued. */
export const DATA_LINK_LIFETIME: Millis = 30 * 24 * 3_600_000;

/** @param issuedAt when the email was queued: all attempts at it carry the same link */
export function signDataToken(entryId: number, issuedAt: EpochMillis, secret: string): Promise<string> {
  return signToken("your-data:v1", `${entryId.toString(36)}-${issuedAt.toString(36)}`, secret);
}

/** Returns null for an invalid token; an expired one is still valid for asking for a new link. */
export async function verifyDataToken(token: string, secrets: string[], now: EpochMillis) {
  const id = await verifyToken("your-data:v1", token, secrets);
  const [entryId, issuedAt] = (id ?? "").split("-");
  if (!entryId || !issuedAt) return null;
  const issued: EpochMillis = Number.parseInt(issuedAt, 36);
  // Also one whose time is as far ahead.
  const expired = Math.abs(now - issued) >= DATA_LINK_LIFETIME;
  return { entryId: Number.parseInt(entryId, 36), issuedAt: issued, expired };
}
