import { afterEach, describe, expect, test, vi } from "vitest";
import { createTurnstile } from "#app/waitlist/abuse/turnstile.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { answerFetch, turnstileKeys } from "#tests/support/pool/failures.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { answer, apiSite, errorBody } from "#tests/support/pool/site.ts";

freshDatabaseForEachTest();
const log = captureLog();
afterEach(() => void vi.restoreAllMocks());

const says = (body: object, status = 200) => answerFetch(async () => Response.json(body, { status }));
const signUp = { email: "ada@example.com", "cf-turnstile-response": "token" };
const turnstile = createTurnstile({ secret: "secret", url: "https://turnstile.example" });

test("is asked as its documentation says", async () => {
  const asked: Request[] = [];
  answerFetch(async (request) => {
    asked.push(request);
    return Response.json({ success: true });
  });
  expect(await turnstile.verify("token", "203.0.113.7")).toBe("passed");
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "POST https://turnstile.example/turnstile/v0/siteverify",
  ]);
  expect(Object.fromEntries((await asked[0]?.formData()) ?? [])).toEqual({
    secret: "secret",
    response: "token",
    remoteip: "203.0.113.7",
    idempotency_key: expect.stringMatching(/^[\da-f-]{36}$/),
  });
});

test.each([
  [{ success: false, "error-codes": ["invalid-input-response"] }, "failed"],
  [{ success: false, "error-codes": ["timeout-or-duplicate"] }, "failed"],
  [{ success: false, "error-codes": ["invalid-input-secret"] }, "unknown"],
  [{ success: false, "error-codes": ["internal-error"] }, "unknown"],
  [{ success: false }, "unknown"],
  [{ success: "yes" }, "unknown"],
  [[], "unknown"],
])("%j means %s", async (body, verdict) => {
  says(body);
  expect(await turnstile.verify("token", "203.0.113.7")).toBe(verdict);
});

test.each([42, "x".repeat(3_000)])("a token that can be none is refused without asking: %j", async (token) => {
  answerFetch(() => Promise.reject(new Error("asked")));
  expect(await turnstile.verify(token, "203.0.113.7")).toBe("failed");
  expect(log).toEqual([]);
});

describe("a site with Turnstile", () => {
  const site = apiSite(turnstileKeys as Partial<Env>);

  test("lets a person through", async () => {
    says({ success: true });
    expect((await site.post("/api/signup", signUp)).status).toBe(201);
  });

  test("refuses a wrong or used token: 403, counted, and no row", async () => {
    says({ success: false, "error-codes": ["timeout-or-duplicate"] });
    const response = await site.post("/api/signup", signUp);
    expect(await answer(response)).toEqual({ status: 403, body: errorBody("challenge-failed", expect.any(String)) });
    expect(await rows("waitlist_emails")).toEqual([]);
    expect(await rows("blocked_attempts")).toMatchObject([{ reason: "challenge-failed", count: 1 }]);
  });

  test("lets a visitor without JavaScript through, under the stricter limit, and does not ask", async () => {
    answerFetch(() => Promise.reject(new Error("asked")));
    expect((await site.post("/api/signup", { email: "ada@example.com" })).status).toBe(201);
    const STRICT_LIMIT = { limit: async () => ({ success: false }) };
    const strict = apiSite({ ...turnstileKeys, STRICT_LIMIT } as Partial<Env>);
    const response = await strict.post("/api/signup", { email: "grace@example.com" });
    expect([response.status, response.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(log.join()).not.toContain("turnstile-failed");
  });

  test("does not ask again for the welcome mail of who has joined", async () => {
    answerFetch(() => Promise.reject(new Error("asked")));
    const strict = apiSite({
      ...turnstileKeys,
      STRICT_LIMIT: { limit: async () => ({ success: false }) },
    } as Partial<Env>);
    expect((await strict.post("/api/send-welcome", { email: "ada@example.com" })).status).toBe(200);
  });
});

test("a site without Turnstile asks nobody, whatever the form holds", async () => {
  answerFetch(() => Promise.reject(new Error("asked")));
  expect((await apiSite().post("/api/signup", signUp)).status).toBe(201);
  expect(log.join()).not.toContain("turnstile-failed");
});
