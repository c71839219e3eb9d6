import type { ClaimedEmail } from "#app/email/outbox.server.ts";
import type { AttemptResult } from "#app/email/record-results.server.ts";
import { keyedHash } from "#app/server/address-hash.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import type { SuppressionReason } from "#app/server/db/schema/email.server.ts";
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

/** The suppressions that follow when the provider refuses an address, and how long they last (milliseconds). */
const refusals: Partial<Record<EmailReason, { reason: SuppressionReason; lasts: number | null }>> = {
  "address-refused": { reason: "hard-bounce", lasts: BOUNCE_SUPPRESSION },
  complaint: { reason: "complaint", lasts: null },
  blocked: { reason: "blocked", lasts: null },
};

/** How many statements {@link suppressRefused} executes. */
export function countRefusals(results: AttemptResult[]): number {
  return new Set(results.filter(isRefused).map(({ reason }) => reason)).size;
}

function isRefused(result: AttemptResult): result is AttemptResult & { state: "dead" } {
  return result.state === "dead" && refusals[result.reason] !== undefined;
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
  const now = deps.now();
  const refused = results.filter(isRefused);
  for (const [code, { reason, lasts }] of Object.entries(refusals)) {
    const ids = refused.filter((result) => result.reason === code).map(({ id }) => id);
    if (ids.length === 0) continue;
    try {
      const hashes = await hashAddresses(
        deps,
        claims.filter(({ id }) => ids.includes(id)),
      );
      const until = lasts === null ? null : now + lasts;
      await suppress(deps.db, { hashes: [...hashes.values()], reason, until }, now);
    } catch (error) {
      logError("suppress-failed", error, { emails: ids.length });
    }
  }
  return results.map((result) =>
    isRefused(result) ? { ...result, nextAttemptAt: now + (refusals[result.reason]?.lasts ?? NEXT_CHECK) } : result,
  );
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
