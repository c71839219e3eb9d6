import { env } from "cloudflare:test";
import { afterEach, beforeEach, vi } from "vitest";

/** How a dependency can go wrong; slow means ten seconds and a bit, which is more than any time limit. */
export const failures = ["failing", "slow", "wrong"] as const;

export type Failure = (typeof failures)[number];

const SLOW = 10_500;

const realTimeout = globalThis.setTimeout;

/** Gives each test a clock for time limits that stands still, save that {@link faulty slow} calls take their time on it. */
export function standingClockForEachTest(): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());
}

/** Makes calls that go wrong in one way. */
function faulty(fault: Failure, nonsense: unknown): () => Promise<never> {
  return async () => {
    if (fault === "failing") throw new Error("out of order, says ada@example.com");
    if (fault === "slow") await slowly();
    return nonsense as never;
  };
}

/**
 * Lets the time of a slow call pass as soon as whoever waits for it has set a limit. All at once, before anybody can
 * go on: what they do after the limit, such as asking the real D1, begins with a whole limit of its own.
 */
function slowly(): Promise<void> {
  // Calls of the same moment take the same time.
  if (!isPassing) {
    isPassing = true;
    realTimeout(() => {
      isPassing = false;
      if (vi.isFakeTimers()) vi.advanceTimersByTime(SLOW - 1);
    }, 0);
  }
  return new Promise((resolve) => setTimeout(resolve, SLOW));
}

let isPassing = false;

/** A D1 of which every statement goes wrong in one way. */
export function failingD1(fault: Failure, nonsense: unknown = { results: "nonsense" }): D1Database {
  const call = faulty(fault, nonsense);
  const statement = { bind: () => statement, all: call, run: call, raw: call, first: call };
  return { prepare: () => statement, batch: call } as unknown as D1Database;
}

export function failingEmail(fault: Failure): SendEmail {
  // A wrong answer of the binding is a rejection that is no Error: it has no other way to say that it took no mail.
  const call = fault === "wrong" ? () => Promise.reject("nonsense") : faulty(fault, {});
  return { send: call } as SendEmail;
}

export function failingRateLimit(fault: Failure): RateLimit {
  return { limit: faulty(fault, { success: "nonsense" }) };
}

export function failingKv(fault: Failure): KVNamespace {
  return { get: faulty(fault, "nonsense"), put: faulty(fault, undefined) } as unknown as KVNamespace;
}

/** Puts an answer in the place of the network's. */
export function answerFetch(answer: (request: Request) => Promise<Response>): void {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => answer(new Request(input as string, init)));
}

/** What an HTTP service says when it goes wrong in one way. */
export function failingService(fault: Failure): () => Promise<Response> {
  return async () => {
    await faulty(fault, null)();
    return new Response("<h1>Welcome to our router</h1>", { headers: { "Content-Type": "text/html" } });
  };
}

export const turnstileKeys = {
  TURNSTILE_SITE_KEY: "1x00000000000000000000AA",
  TURNSTILE_SECRET: "1x0000000000000000000000000000000AA",
  TURNSTILE_URL: "https://turnstile.example",
};

export const resendKeys = { RESEND_API_KEY: "re_test", RESEND_URL: "https://resend.example", EMAIL: env.EMAIL };
