import type { Db } from "#app/server/db/client.server.ts";
import type { Role } from "#app/server/db/schema/entries.server.ts";
import { logInfo } from "#app/server/log.ts";
import { type AbuseCheckDeps, recordBlocked } from "#app/waitlist/abuse/check-abuse.server.ts";
import { RATE_LIMIT_PERIOD, withinRateLimits } from "#app/waitlist/abuse/rate-limits.server.ts";
import { setRole } from "#app/waitlist/entries.server.ts";
import { isRoleToken, readRoleToken } from "#app/waitlist/role-token.server.ts";
import { isRole } from "#app/waitlist/roles.ts";

export interface AnswerRoleDeps extends Pick<AbuseCheckDeps, "limits" | "countBlocked"> {
  db: Db;
  /** The current secret, then the previous one. */
  linkSecrets: string[];
  /** Milliseconds since 1970. */
  now: () => number;
}

export interface AnswerRoleInput {
  token: unknown;
  role: unknown;
  /** The client's IP address, for rate limits; never stored. */
  clientIp: string;
}

export type AnswerRoleOutcome =
  | { kind: "answered"; role: Role }
  | { kind: "invalid-role" }
  /** The token is wrong or has expired. */
  | { kind: "invalid-token" }
  /** `retryAfter` in seconds. */
  | { kind: "rate-limited"; retryAfter: number };

/**
 * Stores what the holder of a sign-up's token says brings them here. Entry points call this after checking the request's
 * size, type and origin. A token without an entry gets the same response, after the same statement.
 *
 * @throws when the database fails
 */
export async function answerRole(deps: AnswerRoleDeps, input: AnswerRoleInput): Promise<AnswerRoleOutcome> {
  const { token, role, clientIp } = input;
  if (!isRole(role)) return { kind: "invalid-role" };
  if (!isRoleToken(token)) return { kind: "invalid-token" };
  if (!(await withinRateLimits(deps.limits, "role", clientIp, token))) {
    recordBlocked(deps, "role", "rate-limited");
    return { kind: "rate-limited", retryAfter: RATE_LIMIT_PERIOD };
  }
  const entryId = await readRoleToken(token, deps.linkSecrets, deps.now());
  if (entryId === null) return { kind: "invalid-token" };
  const changed = await setRole(deps.db, entryId, role);
  logInfo("role-answered", { entryId, changed });
  return { kind: "answered", role };
}
