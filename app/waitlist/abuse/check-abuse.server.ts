import type { BlockedReason } from "#app/server/db/schema/statistics.server.ts";
import { logSampled } from "#app/server/log.ts";
import { hashMailbox } from "#app/server/mailbox.server.ts";
import {
  type EntryPoint,
  RATE_LIMIT_PERIOD,
  type RateLimits,
  withinRateLimits,
  withinUnverifiedLimits,
} from "#app/waitlist/abuse/rate-limits.server.ts";
import type { Turnstile } from "#app/waitlist/abuse/turnstile.server.ts";

export interface AbuseCheckDeps {
  limits: RateLimits;
  /** Null where Turnstile is not configured. */
  turnstile: Turnstile | null;
  /** The key of mailbox hashes. */
  hashKey: string;
  countBlocked: (reason: BlockedReason) => void;
}

export interface AbuseCheckInput {
  /** As `normaliseEmail` returns it; null if invalid. */
  email: string | null;
  /** A field that people cannot see; only bots fill it in. */
  honeypot: unknown;
  /** The token from Turnstile's widget, if any. */
  challenge: unknown;
  /** The client's IP address, for rate limits and Turnstile; never stored. */
  clientIp: string;
}

export type AbuseCheckOutcome = Passed | Blocked;

interface Passed {
  kind: "passed";
  email: string;
  /** As `hashMailbox` returns it. */
  mailboxHash: string;
  /** Whether Turnstile verified the attempt; null where it was not asked to. */
  verified: boolean | null;
}

export type Blocked =
  /** Callers respond as if it were a success, so that the bot learns nothing. */
  | { kind: "honeypot"; email: string }
  | { kind: "invalid-email" }
  /** `retryAfter` in seconds. `limit` tells the daily limit of a mailbox from the rate limits. */
  | { kind: "rate-limited"; retryAfter: number; limit?: "mailbox" }
  | { kind: "challenge-failed" };

/**
 * Checks for abuse at every entry point, cheapest first: honeypot, address, rate limits, Turnstile. Body and origin are
 * checked earlier, in `worker/middleware/request-guards.ts`.
 */
export async function checkAbuse(
  deps: AbuseCheckDeps,
  entryPoint: EntryPoint,
  input: AbuseCheckInput,
): Promise<AbuseCheckOutcome> {
  const outcome = await check(deps, entryPoint, input);
  if (outcome.kind !== "passed") recordBlocked(deps, entryPoint, reasons[outcome.kind]);
  return outcome;
}

/** Counts and logs a blocked attempt. */
export function recordBlocked(
  deps: Pick<AbuseCheckDeps, "countBlocked">,
  entryPoint: EntryPoint,
  reason: BlockedReason,
): void {
  deps.countBlocked(reason);
  logSampled("info", "blocked", { entryPoint, reason });
}

const reasons: Record<Blocked["kind"], BlockedReason> = {
  honeypot: "honeypot",
  "invalid-email": "address",
  "rate-limited": "rate-limited",
  "challenge-failed": "challenge-failed",
};

async function check(deps: AbuseCheckDeps, entryPoint: EntryPoint, input: AbuseCheckInput): Promise<AbuseCheckOutcome> {
  const { email } = input;
  if (isFilledIn(input.honeypot)) return { kind: "honeypot", email: email ?? "" };
  if (email === null) return { kind: "invalid-email" };
  const mailboxHash = await hashMailbox(email, deps.hashKey);
  if (!(await withinRateLimits(deps.limits, entryPoint, input.clientIp, mailboxHash))) return rateLimited;
  const challenge = await checkChallenge(deps, entryPoint, input);
  return challenge.kind === "passed" ? { ...challenge, email, mailboxHash } : challenge;
}

const rateLimited = { kind: "rate-limited", retryAfter: RATE_LIMIT_PERIOD } as const;

/**
 * Verifies the token where Turnstile is configured. Visitors without JavaScript have no token, and outages are not
 * their fault, so both pass under stricter rate limits. The `welcome` entry point skips this: a token is valid once,
 * and the endpoint sends only what a checked sign-up queued.
 */
async function checkChallenge(
  deps: AbuseCheckDeps,
  entryPoint: EntryPoint,
  input: AbuseCheckInput,
): Promise<Pick<Passed, "kind" | "verified"> | Blocked> {
  if (deps.turnstile === null || entryPoint === "welcome") return { kind: "passed", verified: null };
  const verdict = isFilledIn(input.challenge)
    ? await deps.turnstile.verify(input.challenge, input.clientIp)
    : "unknown";
  if (verdict === "passed") return { kind: "passed", verified: true };
  if (verdict === "failed") return { kind: "challenge-failed" };
  const isWithinLimits = await withinUnverifiedLimits(deps.limits, entryPoint, input.clientIp);
  return isWithinLimits ? { kind: "passed", verified: false } : rateLimited;
}

function isFilledIn(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
