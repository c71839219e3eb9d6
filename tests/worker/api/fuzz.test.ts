import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import fc from "fast-check";
import { expect, test } from "vitest";
import { HONEYPOT_FIELD } from "#app/server/abuse/honeypot.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { anAnswerToken } from "#tests/support/pool/answer-token.ts";
import {
  BATCH_SIZE,
  batchOf,
  type FuzzRequest,
  fuzzCases,
  fuzzSeed,
  requestArbitrary,
  toRequest,
} from "#tests/support/pool/fuzz.ts";
import { timelessLimits } from "#tests/support/pool/location-limits.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";
import { createApp } from "#worker/app.ts";

const log = freshStorageForEachTest();
const seed = fuzzSeed();

const SIGN_UPS = fuzzCases(6_000, BATCH_SIZE);
const SEND_WELCOME_CALLS = fuzzCases(2_800, BATCH_SIZE);
const MAX_BODY_BYTES = 4_096;

/** The documented error codes of the API, by status (docs/sign-up-api.md). */
const documented: Record<number, string[]> = {
  400: ["malformed-json"],
  403: ["forbidden-origin"],
  405: ["method-not-allowed"],
  409: ["already-joined"],
  413: ["too-large"],
  415: ["not-json"],
  422: ["invalid-email", "invalid-source", "unknown-wording", "disposable-email"],
  429: ["rate-limited"],
};

const anyPost = requestArbitrary(JSON.stringify, ["application/json", "application/json; charset=utf-8"]);

test(`${SIGN_UPS} random requests to /api/signup: documented responses, and exactly the accepted entries are stored`, async () => {
  const joined = new Set<string>();
  let blocked = 0;
  await attack("/api/signup", SIGN_UPS, async (request, status, body) => {
    if (status !== 201) {
      const isOurs = body?.error?.code === "invalid-source" || body?.error?.code === "unknown-wording";
      if (status !== 405 && status !== 409 && !isOurs) blocked += 1;
      return;
    }
    const { email, [HONEYPOT_FIELD]: honeypot = "" } = JSON.parse(new TextDecoder().decode(request.body));
    const message = "Thanks for joining! Please check your email.";
    expect(body).toMatchObject({ ok: true, message, answerToken: anAnswerToken, questions: expect.any(Array) });
    const known = ["ok", "message", "answerToken", "questions", "via", "joinedOn", "suggestion", "note"];
    expect(Object.keys(body ?? {}).filter((name) => !known.includes(name))).toEqual([]);
    if (honeypot === "") joined.add(normaliseEmail(email) ?? "");
    else blocked += 1;
  });

  const entries = await rows<{ id: number; email: string; status: string }>("waitlist_emails");
  expect(entries.map(({ email }) => email).toSorted()).toEqual([...joined].toSorted());
  expect(entries.length).toBeGreaterThan(SIGN_UPS / 60);
  expect(entries.filter(({ email }) => !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) || email.length > 254)).toEqual([]);
  const queued = await rows<{ entry_id: number; kind: string; attempts: number }>("email_outbox");
  expect(queued.map(({ entry_id }) => entry_id).toSorted()).toEqual(entries.map(({ id }) => id).toSorted());
  expect(queued.filter(({ kind, attempts }) => kind !== "welcome" || attempts !== 0)).toEqual([]);
  const counts = await rows<{ count: number }>("blocked_attempts");
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(blocked);
  expect(log.filter((line) => line.includes("@"))).toEqual([]);
});

test(`${SEND_WELCOME_CALLS} random requests to /api/send-welcome: documented responses, and nothing is stored`, async () => {
  await attack("/api/send-welcome", SEND_WELCOME_CALLS, async (_request, status, body) => {
    expect(status).not.toBe(409);
    if (status === 200) expect(body).toEqual({ ok: true });
  });
  expect(await rows("waitlist_emails")).toEqual([]);
  expect(await rows("email_outbox")).toEqual([]);
});

interface ApiBody {
  ok?: unknown;
  error?: { code?: string };
}

/** Sends random requests to a path and checks the invariants of all API responses, then calls `check`. */
async function attack(
  path: string,
  cases: number,
  check: (request: FuzzRequest, status: number, body: ApiBody | null) => Promise<void>,
): Promise<void> {
  const app = createApp(async () => new Response("a page"));
  const execution = createExecutionContext();
  await fc.assert(
    fc.asyncProperty(batchOf(anyPost), async (requests) => {
      await Promise.all(requests.map(send));
    }),
    { seed, numRuns: cases / BATCH_SIZE },
  );
  await waitOnExecutionContext(execution);

  async function send(request: FuzzRequest) {
    // A new isolate, which writes its first count at once and not seconds later.
    const isolate = { ...env, ...timelessLimits, WORKERS_PLAN: "paid" };
    const response = await app.fetch(toRequest(env.SITE_URL + path, request), isolate, execution);
    expect(response.headers.get("Content-Type")).toBe("application/json");
    const body = request.method === "HEAD" ? null : await response.json<ApiBody>();
    if (!response.ok) checkError(response, body);
    if (response.ok || response.status === 409 || response.status === 422) {
      expect(request.body.length).toBeLessThanOrEqual(MAX_BODY_BYTES);
    }
    await check(request, response.status, body);
  }
}

function checkError({ status, headers }: Response, body: ApiBody | null): void {
  const codes = documented[status] ?? [];
  expect(codes, `status ${status}`).not.toEqual([]);
  if (body === null) return;
  const error = { code: expect.toBeOneOf(codes), message: expect.any(String) };
  expect({ ...body, suggestion: undefined }).toEqual({ ok: false, error });
  if (status === 405) expect(headers.get("Allow")).toBe("POST");
  // A minute for the rate limits, up to a day for a mailbox with three spellings on the list.
  if (status === 429) expect(headers.get("Retry-After")).toMatch(/^(60|8[56]\d{3})$/);
}
