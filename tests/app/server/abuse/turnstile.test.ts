import { describe, expect, test } from "vitest";
import { createTurnstile } from "#app/server/abuse/turnstile.server.ts";
import { mockFetch, passedVerdict, turnstileKeys } from "#tests/support/pool/failures.ts";
import { apiSite, errorBody, statusAndBody } from "#tests/support/pool/site.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshDatabaseForEachTest();

const respondWith = (body: object, status = 200) => mockFetch(async () => Response.json(body, { status }));
const signUp = { email: "ada@example.com", "cf-turnstile-response": "token" };
const options = { hostname: passedVerdict.hostname, url: "https://turnstile.example" };
const turnstile = createTurnstile({ secret: "secret", ...options });

test("sends the documented request", async () => {
  const requests: Request[] = [];
  mockFetch(async (request) => {
    requests.push(request);
    return Response.json(passedVerdict);
  });
  expect(await turnstile.verify("token", "203.0.113.7")).toBe("passed");
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "POST https://turnstile.example/turnstile/v0/siteverify",
  ]);
  expect(Object.fromEntries((await requests[0]?.formData()) ?? [])).toEqual({
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
  [{ success: false }, "unknown"],
  [{ success: "yes" }, "unknown"],
  [[], "unknown"],
])("%j results in %s", async (body, verdict) => {
  respondWith(body);
  expect(await turnstile.verify("token", "203.0.113.7")).toBe(verdict);
});

test.each([
  ["another site", { hostname: "evil.example" }],
  ["a subdomain", { hostname: `www.${passedVerdict.hostname}` }],
  ["another form", { action: "comment" }],
  ["no action", { action: "" }],
  ["an unknown host", { hostname: undefined }],
])("rejects a token of %s", async (_, difference) => {
  respondWith({ ...passedVerdict, ...difference });
  expect(await turnstile.verify("token", "203.0.113.7")).toBe("failed");
  expect(log).toEqual(['{"level":"warn","event":"turnstile-mismatch"}']);
});

test("Cloudflare's secrets for tests answer for another host", async () => {
  respondWith({ success: true, hostname: "example.com" });
  const tested = createTurnstile({ secret: "1x0000000000000000000000000000000AA", ...options });
  expect(await tested.verify("token", "203.0.113.7")).toBe("passed");
});

test.each([42, "x".repeat(3_000)])("rejects an impossible token without a request: %j", async (token) => {
  mockFetch(() => Promise.reject(new Error("unexpected request")));
  expect(await turnstile.verify(token, "203.0.113.7")).toBe("failed");
  expect(log).toEqual([]);
});

describe("a site with Turnstile", () => {
  const site = apiSite(turnstileKeys as Partial<Env>);

  test("rejects an invalid or used token: 403, counted, and no row", async () => {
    respondWith({ success: false, "error-codes": ["timeout-or-duplicate"] });
    const response = await site.post("/api/signup", signUp);
    expect(await statusAndBody(response)).toEqual({
      status: 403,
      body: errorBody("challenge-failed", expect.any(String)),
    });
    expect(await rows("waitlist_emails")).toEqual([]);
    expect(await rows("blocked_attempts")).toMatchObject([{ reason: "challenge-failed", count: 1 }]);
  });

  test("accepts visitors without JavaScript under the strict limit, without a request", async () => {
    mockFetch(() => Promise.reject(new Error("unexpected request")));
    expect((await site.post("/api/signup", { email: "ada@example.com" })).status).toBe(201);
    const STRICT_LIMIT = { limit: async () => ({ success: false }) };
    const strict = apiSite({ ...turnstileKeys, STRICT_LIMIT } as Partial<Env>);
    const response = await strict.post("/api/signup", { email: "grace@example.com" });
    expect([response.status, response.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(log.join()).not.toContain("turnstile-failed");
  });
});
