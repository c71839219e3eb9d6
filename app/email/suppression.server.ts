import type { ClaimedEmail } from "#app/email/outbox.server.ts";
import type { AttemptResult } from "#app/email/record-results.server.ts";
import { keyedHash } from "#app/server/address-hash.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import {
  BOUNCE_SUPPRESSION,
  findSuppressed,
  suppress,
  suppressionReasons,
} from "#app/server/db/suppressions.server.ts";
import { logError, logInfo } from "#app/server/log.ts";

export interface SuppressionDeps {
  db: Db;
  emailContext: { hashKey: string; ownerEmails: string[] };
  /** Milliseconds since 1970. */
  now: () => number;
}

/** A suppression for good may have been lifted by then (milliseconds). */
const NEXT_CHECK = 24 * 3_600_000;

/**
 * Finds the claimed emails whose addresses are suppressed. Owners are exempt, so that a bounce cannot lock one out.
 *
 * @returns their results; the other emails may be sent
 */
export async function checkSuppression(deps: SuppressionDeps, claims: ClaimedEmail[]): Promise<AttemptResult[]> {
  const hashes = await hashAddresses(deps, claims);
  if (hashes.size === 0) return [];
  const now = deps.now();
  const suppressed = await findSuppressed(deps.db, [...hashes.values()], now);
  return claims.flatMap(({ id, kind }): AttemptResult[] => {
    const found = suppressed.get(hashes.get(id) ?? "");
    if (found === undefined) return [];
    const reason = suppressionReasons[found.reason];
    logInfo("email-suppressed", { emailId: id, kind, reason });
    return [{ id, state: "dead", reason, nextAttemptAt: found.until ?? now + NEXT_CHECK }];
  });
}

/** Whether a result means that the provider refused the address: a hard bounce, reported at once. */
export function isAddressRefused(result: AttemptResult): boolean {
  return result.state === "dead" && result.reason === ("address-refused" satisfies EmailReason);
}

/**
 * Suppresses the addresses that the provider refused. Never throws, since the results have to be recorded.
 *
 * @param results of attempts that were made
 * @returns the results, with the time from which a new sign-up may queue the email again
 */
export async function suppressRefused(
  deps: SuppressionDeps,
  claims: ClaimedEmail[],
  results: AttemptResult[],
): Promise<AttemptResult[]> {
  const refused = new Set(results.filter(isAddressRefused).map(({ id }) => id));
  if (refused.size === 0) return results;
  const now = deps.now();
  const until = now + BOUNCE_SUPPRESSION;
  try {
    const refusedClaims = claims.filter(({ id }) => refused.has(id));
    const hashes = [...(await hashAddresses(deps, refusedClaims)).values()];
    await suppress(deps.db, { hashes, reason: "hard-bounce", until }, now);
  } catch (error) {
    logError("suppress-failed", error, { emails: refused.size });
  }
  return results.map((result) => (refused.has(result.id) ? { ...result, nextAttemptAt: until } : result));
}

/** The hashes of addresses, by the email's id. Omits the owners'. */
async function hashAddresses(
  { emailContext: { hashKey, ownerEmails } }: SuppressionDeps,
  claims: ClaimedEmail[],
): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const { id, email } of claims) {
    if (email !== null && !ownerEmails.includes(email)) hashes.set(id, await keyedHash("address:v1", email, hashKey));
  }
  return hashes;
}
