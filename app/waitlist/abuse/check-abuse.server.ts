import type { BlockedReason } from "#app/server/db/schema.server.ts";
import { logInfo } from "#app/server/log.ts";
import {
  type EntryPoint,
  RATE_LIMIT_PERIOD,
  type RateLimits,
  withinRateLimits,
  withinStrictLimit,
} from "#app/waitlist/abuse/rate-limits.server.ts";
import type { Turnstile } from "#app/waitlist/abuse/turnstile.server.ts";

export interface AbuseCheckDeps {
  limits: RateLimits;
  /** Null where Turnstile is not configured. */
  turnstile: Turnstile | null;
  countBlocked: (reason: BlockedReason) => void;
}

/** What an entry point received. */
export interface Attempt {
  /** As `normaliseEmail` returns it; null where that was no address. */
  email: string | null;
  /** A field that people do not see; whoever fills it in is a program. */
  honeypot: unknown;
  /** What Turnstile's widget put into the form, if it did. */
  challenge: unknown;
  /** The client's IP address, for counting and for Turnstile; never kept. */
  client: string;
}

export type AbuseCheckOutcome = { kind: "passed"; email: string } | Blocked;

export type Blocked =
  /** To be answered like a success, so that the program behind it learns nothing. */
  | { kind: "honeypot"; email: string }
  | { kind: "invalid-email" }
  /** `retryAfter` in seconds. */
  | { kind: "rate-limited"; retryAfter: number }
  | { kind: "challenge-failed" };

/**
 * The inner half of the one gate before every entryPoint, in one order, cheapest first: honeypot, address, rate limits,
 * Turnstile. The outer half, body and origin, is `worker/middleware/request-guards.ts`, which a request passes first.
 */
export async function checkAbuse(
  deps: AbuseCheckDeps,
  entryPoint: EntryPoint,
  attempt: Attempt,
): Promise<AbuseCheckOutcome> {
  const outcome = await check(deps, entryPoint, attempt);
  if (outcome.kind !== "passed") {
    const reason = reasons[outcome.kind];
    deps.countBlocked(reason);
    logInfo("blocked", { entryPoint, reason });
  }
  return outcome;
}

const reasons: Record<Blocked["kind"], BlockedReason> = {
  honeypot: "honeypot",
  "invalid-email": "address",
  "rate-limited": "rate-limited",
  "challenge-failed": "challenge-failed",
};

async function check(deps: AbuseCheckDeps, entryPoint: EntryPoint, attempt: Attempt): Promise<AbuseCheckOutcome> {
  const { email } = attempt;
  if (isFilledIn(attempt.honeypot)) return { kind: "honeypot", email: email ?? "" };
  if (email === null) return { kind: "invalid-email" };
  if (!(await withinRateLimits(deps.limits, entryPoint, attempt.client, email))) return tooMany;
  return (await challenge(deps, entryPoint, attempt)) ?? { kind: "passed", email };
}

const tooMany = { kind: "rate-limited", retryAfter: RATE_LIMIT_PERIOD } as const;

/**
 * Asks Turnstile where it is configured. A visitor without JavaScript has no token and an outage is not the visitor's
 * fault, so both pass, under a stricter limit. The browser's request for its mail is not asked again: a token counts
 * once, and that door sends nothing but what a sign-up that passed here is owed.
 */
async function challenge(deps: AbuseCheckDeps, entryPoint: EntryPoint, attempt: Attempt): Promise<Blocked | null> {
  if (deps.turnstile === null || entryPoint === "welcome") return null;
  const verdict = isFilledIn(attempt.challenge)
    ? await deps.turnstile.verify(attempt.challenge, attempt.client)
    : "unknown";
  if (verdict === "passed") return null;
  if (verdict === "failed") return { kind: "challenge-failed" };
  return (await withinStrictLimit(deps.limits, entryPoint, attempt.client)) ? null : tooMany;
}

function isFilledIn(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
