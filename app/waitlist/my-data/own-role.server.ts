import type { Role } from "#app/server/db/schema/entries.server.ts";
import { logInfo } from "#app/server/log.ts";
import { setRole } from "#app/waitlist/entries.server.ts";
import type { ChangeOutcome, OwnEntryDeps } from "#app/waitlist/my-data/own-entry.server.ts";
import { verifyDataToken } from "#app/waitlist/my-data/token.server.ts";

/** Stores what the person of a token's entry says brings them here; null removes it. Idempotent. */
export async function changeOwnRole(
  { db, linkSecrets, now }: OwnEntryDeps,
  token: string,
  role: Role | null,
): Promise<ChangeOutcome> {
  const verified = await verifyDataToken(token, linkSecrets, now());
  if (verified === null) return { kind: "bad-link" };
  if (verified.expired) return { kind: "expired" };
  const { entryId } = verified;
  const changed = await setRole(db, entryId, role);
  logInfo("entry-changed-by-subscriber", { entryId, intent: "role", changed });
  return { kind: "done", changed };
}
