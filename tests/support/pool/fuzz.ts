import { env } from "cloudflare:test";
import fc from "fast-check";
import { HONEYPOT_FIELD } from "#app/server/abuse/honeypot.ts";
import { WORDING_FIELD, wordingTexts } from "#app/waitlist/sign-up/consent-wording.ts";

/** A generated request, in a form that fast-check can print when a property fails. */
export interface FuzzRequest {
  method: string;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
}

/** Logs and returns the seed. Repeat a run with `FAST_CHECK_SEED=… vitest run …`. */
export function fuzzSeed(): number {
  console.info(`FAST_CHECK_SEED=${env.FAST_CHECK_SEED}`);
  return env.FAST_CHECK_SEED;
}

/** How many of the random cases run, in full batches: all of them, or with `npm test` one in 50. */
export function fuzzCases(all: number, batchSize = 1): number {
  return Math.ceil((all * env.FUZZ_FACTOR) / batchSize) * batchSize;
}

/** Valid, nearly valid and invalid addresses. Few names, so that many are repeated. */
const anyEmail = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[a-dA-D]{1,2}@[ab]\.example$/) },
  { weight: 2, arbitrary: fc.emailAddress() },
  fc.stringMatching(/^ ?[^\s@]{1,5}@[^\s@]{1,5}\.[^\s@]{1,5} ?$/),
  fc.tuple(fc.string({ unit: "binary", maxLength: 8 }), fc.constant("@b.example")).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 400 }),
);

/** Sign-up fields: valid, invalid, missing and unknown. */
const anyFields = fc.record(
  {
    email: anyEmail,
    source: fc.oneof(fc.constant("landing_page"), fc.string({ maxLength: 70 })),
    [HONEYPOT_FIELD]: fc.oneof({ weight: 6, arbitrary: fc.constant("") }, fc.string({ maxLength: 5 })),
    [WORDING_FIELD]: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...Object.keys(wordingTexts)) },
      fc.string({ maxLength: 20 }),
    ),
    utm_source: fc.string({ unit: "binary", maxLength: 300 }),
    via: fc.oneof(fc.stringMatching(/^[2-9a-hjkmnp-z]{8}$/), fc.string({ unit: "binary", maxLength: 20 })),
    "cf-turnstile-response": fc.string({ maxLength: 30 }),
    choice: fc.oneof(fc.constantFrom("decline", "selected", "accept"), fc.string({ maxLength: 12 })),
    intent: fc.oneof(fc.constantFrom("unsubscribe", "rejoin", "erase"), fc.string({ maxLength: 12 })),
    padding: fc.oneof({ weight: 9, arbitrary: fc.string({ maxLength: 9 }) }, fc.constant("x".repeat(4_096))),
  },
  { requiredKeys: ["email"] },
);

/**
 * Requests with any method, headers and body, most of them close to valid.
 *
 * @param serialise writes fields as the entry point's kind of body
 * @param types content types that the entry point accepts
 */
export function requestArbitrary(serialise: (fields: object) => string, types: string[]): fc.Arbitrary<FuzzRequest> {
  const encode = (text: string) => new TextEncoder().encode(text);
  const valid = anyFields.map((fields) => encode(serialise(fields)));
  const change = fc.tuple(valid, fc.nat(300), fc.nat(255));
  const truncated = change.map(([bytes, at]) => bytes.subarray(0, at));
  const flipped = change.map(([bytes, at, byte]) => bytes.with(at % bytes.length, byte));
  const json = fc.json({ maxDepth: 4 }).map(encode);
  const bytes = fc.uint8Array({ maxLength: 200 });
  const large = fc.nat(2_000).map((more) => new Uint8Array(4_000 + more).fill(0x61));
  return fc.record({
    method: fc.oneof(
      { weight: 12, arbitrary: fc.constant("POST") },
      fc.constantFrom("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "post"),
    ),
    headers: anyHeaders(types),
    body: fc.oneof({ weight: 8, arbitrary: valid }, truncated, flipped, json, bytes, large),
  });
}

/** Concurrent requests, as entry points get them; also faster. */
export function batchOf<T>(each: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(each, { minLength: BATCH_SIZE, maxLength: BATCH_SIZE });
}

export const BATCH_SIZE = 20;

/** Creates a request that workerd accepts: GET and HEAD have no body. */
export function toRequest(url: string, { method, headers, body }: FuzzRequest): Request {
  const reads = ["GET", "HEAD"].includes(method.toUpperCase());
  return new Request(url, { method, headers, redirect: "manual", ...(reads ? {} : { body }) });
}

/** Excludes framing headers, which the runtime sets. */
function anyHeaders(types: string[]): fc.Arbitrary<Record<string, string>> {
  const value = fc.stringMatching(/^[!-~]([ -~]{0,40}[!-~])?$/);
  const mostly = (weight: number, arbitrary: fc.Arbitrary<string>, ...others: string[]) =>
    fc.oneof({ weight, arbitrary }, fc.constantFrom(...others), value);
  const origins = ["null", "https://evil.example", `${env.SITE_URL}.evil.example`, "HTTP://LOCALHOST:8787"];
  const known = fc.record(
    {
      "Content-Type": mostly(
        12,
        fc.constantFrom(...types),
        "text/plain",
        "multipart/form-data; boundary=x",
        "application/json",
        "",
      ),
      Origin: mostly(8, fc.constant(env.SITE_URL), ...origins),
      "CF-Connecting-IP": mostly(20, fc.ipV6(), "192.0.2.1", "2001:db8::", ":"),
      Accept: mostly(1, fc.constant("text/html"), "*/*"),
      Cookie: value,
      Referer: value,
      Range: value,
      "If-None-Match": value,
      "Content-Encoding": fc.constantFrom("gzip", "br", "identity"),
      "X-HTTP-Method-Override": fc.constantFrom("GET", "DELETE"),
      "X-Forwarded-Host": value,
      "User-Agent": value,
    },
    { requiredKeys: ["Content-Type", "CF-Connecting-IP"] },
  );
  const unknown = fc.dictionary(fc.stringMatching(/^x-[a-z0-9-]{1,12}$/), value, { maxKeys: 3 });
  return fc.tuple(unknown, known).map(([some, others]) => ({ ...some, ...others }));
}
