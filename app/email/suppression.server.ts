import type { AttemptResult } from "#app/email/attempt.server.ts";
import type { ClaimedEmail } from "#app/email/outbox.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import type { SuppressionReason } from "#app/server/db/schema/email.server.ts";
import {
  BOUNCE_SUPPRESSION,
  findSuppressed,
  suppress,
  suppressionReasons,
} from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { logError, logInfo } from "#app/server/log.ts";
import { DAY, type EpochMillis, type Millis } from "#app/server/time/units.ts";

export interface SuppressionDeps {
  db: Db;
  emailContext: { hashKey: string; ownerEmails: string[] };
  now: () => EpochMillis;
}

/** A suppression for good may have been lifted by then. */
const NEXT_CHECK = DAY;

/**
 * The results of the claimed emails whose addresses are suppressed; the others may be sent. Owners are exempt, so that a
 * bounce cannot lock one out.
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

/** The suppressions that follow when the provider refuses an address, and how long they last. */
const refusals: Partial<Record<EmailReason, { reason: SuppressionReason; lasts: Millis | null }>> = {
  "address-refused": { reason: "hard-bounce", lasts: BOUNCE_SUPPRESSION },
  complaint: { reason: "complaint", lasts: null },
  blocked: { reason: "blocked", lasts: null },
};

function isRefused(result: AttemptResult): result is AttemptResult & { state: "dead" } {
  return result.state === "dead" && refusals[result.reason] !== undefined;
}

/**
 * Suppresses the addresses that the provider refused. Never throws, since the results have to be recorded.
 *
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
      const refusedClaims = claims.filter(({ id }) => ids.includes(id));
      const hashes = [...(await hashAddresses(deps, refusedClaims)).values()];
      await suppress(deps.db, { hashes, reason, until: lasts === null ? null : now + lasts }, now);
    } catch (error) {
      logError("suppress-failed", error, { emails: ids.length });
    }
  }
  return results.map((result) =>
    isRefused(result) ? { ...result, nextAttemptAt: now + (refusals[result.reason]?.lasts ?? NEXT_CHECK) } : result,
  );
}

async function hashAddresses({ emailContext }: SuppressionDeps, claims: ClaimedEmail[]): Promise<Map<string, string>> {
  const { hashKey, ownerEmails } = emailContext;
  const hashes = new Map<string, string>();
  for (const { id, email } of claims) {
    if (email !== null && !ownerEmails.includes(email)) hashes.set(id, await keyedHash("address:v1", email, hashKey));
  }
  return hashes;
}
