import type { Db } from "#app/db/client.server.ts";
import { logInfo } from "#app/log.ts";
import { normaliseEmail } from "#app/waitlist/address.ts";
import type { Campaign } from "#app/waitlist/campaign.ts";
import { addEntry } from "#app/waitlist/entries.server.ts";
import { RATE_LIMIT_PERIOD, type RateLimits, withinRateLimits } from "#app/waitlist/rate-limits.server.ts";
import { DEFAULT_SOURCE } from "#app/waitlist/sources.ts";

export interface SignUpDeps {
  db: Db;
  limits: RateLimits;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** What a door received, not yet checked. */
export interface SignUpInput {
  email: unknown;
  source: unknown;
  campaign: Campaign;
  /** A field that people do not see; whoever fills it in is a program. */
  honeypot: unknown;
  /** The client's IP address, for counting only. */
  client: string;
}

export type SignUpOutcome =
  | { kind: "joined"; email: string }
  | { kind: "already-joined" }
  | { kind: "invalid-email" }
  | { kind: "invalid-source" }
  /** `retryAfter` in seconds. */
  | { kind: "rate-limited"; retryAfter: number };

/**
 * Puts a visitor on the waitlist. Every door comes here once it has checked size, type and origin of what it got.
 *
 * @throws when the database fails; then nothing was written, or everything was and trying again says so
 */
export async function signUp(deps: SignUpDeps, input: SignUpInput): Promise<SignUpOutcome> {
  const email = normaliseEmail(input.email);
  if (isFilledIn(input.honeypot)) {
    logInfo("sign-up-blocked", { reason: "honeypot" });
    return { kind: "joined", email: email ?? "" };
  }
  if (email === null) return { kind: "invalid-email" };
  const source = input.source ?? DEFAULT_SOURCE;
  if (!isSource(source)) return { kind: "invalid-source" };
  if (!(await withinRateLimits(deps.limits, "signup", input.client, email))) {
    logInfo("sign-up-blocked", { reason: "rate-limited" });
    return { kind: "rate-limited", retryAfter: RATE_LIMIT_PERIOD };
  }
  const added = await addEntry(deps.db, { email, source, campaign: input.campaign, now: deps.now() });
  if (added.kind === "listed") return { kind: "already-joined" };
  // The form does not know who typed, so whoever had left hears what a newcomer hears, and is asked by mail.
  logInfo(added.kind === "new" ? "joined" : "rejoin-asked", {
    entryId: added.kind === "new" ? added.id : null,
    source,
  });
  return { kind: "joined", email };
}

function isSource(value: unknown): value is string {
  return typeof value === "string" && /^[a-z0-9_]{1,64}$/.test(value);
}

function isFilledIn(honeypot: unknown): boolean {
  return honeypot !== undefined && honeypot !== null && honeypot !== "";
}
