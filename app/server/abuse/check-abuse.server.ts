import {
  type EntryPoint,
  RATE_LIMIT_PERIOD,
  withinClientLimits,
  withinMailboxLimits,
} from "#app/server/abuse/rate-limits.server.ts";
import type { AppContext } from "#app/server/context.ts";
import type { BlockedReason } from "#app/server/db/schema/statistics.server.ts";
import { hashMailbox } from "#app/server/hashes/mailbox.server.ts";
import { logSampled } from "#app/server/log.ts";

export type AbuseCheckDeps = Pick<AppContext, "limits" | "turnstile" | "hashKey" | "countBlocked">;

export interface AbuseCheckInput {
  /** As `normaliseEmail` returns it; null if invalid. */
  email: string | null;
  honeypot: unknown;
  /** The token from Turnstile's widget, if any. */
  challenge: unknown;
  /** The client's IP address, for rate limits and Turnstile; never stored. */
  clientIp: string;
}

interface Passed {
  kind: "passed";
  email: string;
  mailboxHash: string;
  /** Whether Turnstile verified the attempt; null where it was not asked to. */
  verified: boolean | null;
}

export type BlockedAttempt =
  /** Callers respond as if it were a success, so that the bot learns nothing. */
  | { kind: "honeypot"; email: string }
  | { kind: "invalid-email" }
  /** `retryAfter` in seconds. `limit` tells the daily limit of a mailbox from the rate limits. */
  | { kind: "rate-limited"; retryAfter: number; limit?: "mailbox" }
  | { kind: "challenge-failed" };

/**
 * The first part of the abuse check, which every entry point runs: honeypot, then address. Body and origin are checked
 * earlier, in `app/server/http/guards.server.ts`.
 */
export function checkFields(
  deps: AbuseCheckDeps,
  entryPoint: EntryPoint,
  input: AbuseCheckInput,
): { kind: "valid"; email: string } | Extract<BlockedAttempt, { kind: "honeypot" | "invalid-email" }> {
  const { email, honeypot } = input;
  if (isFilledIn(honeypot)) return recorded(deps, entryPoint, { kind: "honeypot", email: email ?? "" });
  if (email === null) return recorded(deps, entryPoint, { kind: "invalid-email" });
  return { kind: "valid", email };
}

/**
 * The second part: the client's rate limits, Turnstile, the mailbox's rate limit. Entry points check all other fields
 * before it, and the mailbox comes last: otherwise attempts that cannot succeed would use up the limit of someone whose
 * address a stranger enters.
 */
export async function checkLimits(
  deps: AbuseCheckDeps,
  entryPoint: EntryPoint,
  input: AbuseCheckInput,
  email: string,
): Promise<Passed | Extract<BlockedAttempt, { kind: "rate-limited" | "challenge-failed" }>> {
  const { limits, hashKey } = deps;
  const { clientIp } = input;
  if (!(await withinClientLimits(limits, entryPoint, clientIp))) return recorded(deps, entryPoint, rateLimited);
  const verdict = await verifyChallenge(deps, entryPoint, input);
  if (verdict === "failed") return recorded(deps, entryPoint, { kind: "challenge-failed" });
  const verified = verdict === "skipped" ? null : verdict === "passed";
  const mailboxHash = await hashMailbox(email, hashKey);
  const isWithinLimits = await withinMailboxLimits(limits, entryPoint, { clientIp, mailboxHash, verified });
  return isWithinLimits ? { kind: "passed", email, mailboxHash, verified } : recorded(deps, entryPoint, rateLimited);
}

const rateLimited = { kind: "rate-limited", retryAfter: RATE_LIMIT_PERIOD } as const;

function recorded<T extends BlockedAttempt>(deps: AbuseCheckDeps, entryPoint: EntryPoint, blocked: T): T {
  recordBlocked(deps, entryPoint, reasons[blocked.kind]);
  return blocked;
}

export function recordBlocked(
  deps: Pick<AbuseCheckDeps, "countBlocked">,
  entryPoint: EntryPoint,
  reason: BlockedReason,
): void {
  deps.countBlocked(reason);
  logSampled("info", "blocked", { entryPoint, reason });
}

const reasons: Record<BlockedAttempt["kind"], BlockedReason> = {
  honeypot: "honeypot",
  "invalid-email": "address",
  "rate-limited": "rate-limited",
  "challenge-failed": "challenge-failed",
};

/**
 * Verifies the token where Turnstile is configured. Visitors without JavaScript have no token, and outages are not
 * their fault, so both pass as unknown, under stricter rate limits. The `welcome` entry point skips this: a token is
 * valid once, and the endpoint sends only what a checked sign-up queued.
 */
async function verifyChallenge({ turnstile }: AbuseCheckDeps, entryPoint: EntryPoint, input: AbuseCheckInput) {
  if (turnstile === null || entryPoint === "welcome") return "skipped";
  return isFilledIn(input.challenge) ? turnstile.verify(input.challenge, input.clientIp) : "unknown";
}

function isFilledIn(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
