import { env } from "cloudflare:test";
import { afterEach, beforeEach, vi } from "vitest";

/** How a dependency can fail. Slow means 10.5 seconds, which is longer than any timeout. */
export const failures = ["failing", "slow", "wrong"] as const;

export type Failure = (typeof failures)[number];

/** Milliseconds. */
const SLOW = 10_500;

const realTimeout = globalThis.setTimeout;

/** Gives each test fake timers, which advance only while a {@link faulty slow} call runs. */
export function fakeTimeoutsForEachTest(): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());
}

/** Returns a function that fails in one way; it resolves to `nonsense` when slow or wrong. */
function faulty(fault: Failure, nonsense: unknown): () => Promise<never> {
  return async () => {
    if (fault === "failing") throw new Error("out of order, says ada@example.com");
    if (fault === "slow") await waitSlowly();
    return nonsense as never;
  };
}

/**
 * Waits for {@link SLOW} on the fake clock, which advances in one step once the caller has set its timeout. Later
 * calls, such as queries on the real D1, start with a full timeout.
 */
function waitSlowly(): Promise<void> {
  // Concurrent calls share one step of the clock.
  if (!isAdvancing) {
    isAdvancing = true;
    realTimeout(() => {
      isAdvancing = false;
      if (vi.isFakeTimers()) vi.advanceTimersByTime(SLOW - 1);
    }, 0);
  }
  return new Promise((resolve) => setTimeout(resolve, SLOW));
}

let isAdvancing = false;

/** A D1 database in which every statement fails in one way. */
export function failingD1(fault: Failure, nonsense: unknown = { results: "nonsense" }): D1Database {
  const call = faulty(fault, nonsense);
  const statement = { bind: () => statement, all: call, run: call, raw: call, first: call };
  return { prepare: () => statement, batch: call } as unknown as D1Database;
}

export function failingEmail(fault: Failure): SendEmail {
  // The binding reports failure only by rejecting, so its wrong response is a rejection that is not an Error.
  const call = fault === "wrong" ? () => Promise.reject("nonsense") : faulty(fault, {});
  return { send: call } as SendEmail;
}

export function failingRateLimit(fault: Failure): RateLimit {
  return { limit: faulty(fault, { success: "nonsense" }) };
}

const unlimited: RateLimit = { limit: async () => ({ success: true }) };

/** Rate limits that let everything pass, as for requests spread over many of Cloudflare's locations. */
export const unlimitedRates = {
  CLIENT_LIMIT: unlimited,
  NETWORK_56_LIMIT: unlimited,
  NETWORK_48_LIMIT: unlimited,
  ADDRESS_LIMIT: unlimited,
  STRICT_LIMIT: unlimited,
  UNVERIFIED_LIMIT: unlimited,
  API_LIMIT: unlimited,
  FAIR_LIMIT: unlimited,
};

export function failingKv(fault: Failure): KVNamespace {
  return { get: faulty(fault, "nonsense"), put: faulty(fault, undefined) } as unknown as KVNamespace;
}

/** Replaces the network. */
export function mockFetch(respond: (request: Request) => Promise<Response>): void {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => respond(new Request(input as string, init)));
}

/** The response of an HTTP service that fails in one way. */
export function failingService(fault: Failure): () => Promise<Response> {
  return async () => {
    await faulty(fault, null)();
    return new Response("<h1>Welcome to our router</h1>", { headers: { "Content-Type": "text/html" } });
  };
}

export const turnstileKeys = {
  TURNSTILE_SITE_KEY: "0x4AAAAAAAAAAAAAAAAAAAAA",
  TURNSTILE_SECRET: "0x4AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  TURNSTILE_URL: "https://turnstile.example",
};

/** Turnstile's answer for a token that this site's form got. */
export const passedVerdict = {
  success: true,
  "error-codes": [],
  challenge_ts: "2026-11-22T06:00:00.000Z",
  hostname: new URL(env.SITE_URL).hostname,
  action: "sign-up",
};

export const resendKeys = { RESEND_API_KEY: "re_test", RESEND_URL: "https://resend.example", EMAIL: env.EMAIL };
