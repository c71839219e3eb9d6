import { afterEach, expect, test, vi } from "vitest";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { mockFetch, passedVerdict, turnstileKeys } from "#tests/support/pool/failures.ts";
import { locationLimits } from "#tests/support/pool/location-limits.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { apiSite } from "#tests/support/pool/site.ts";

/* What a stranger who enters someone's address can do to keep that person off the waitlist. */

freshStorageForEachTest();
captureLog();
afterEach(() => void vi.restoreAllMocks());

/** A site with Turnstile, which only the token `good` passes, and with Cloudflare's limits, all within one minute. */
function limitedSite() {
  mockFetch(async (request) => {
    const isGood = (await request.formData()).get("response") === "good";
    return Response.json(isGood ? passedVerdict : { success: false, "error-codes": ["invalid-input-response"] });
  });
  const now = Date.now();
  const site = apiSite({ ...locationLimits(() => now), ...turnstileKeys } as Partial<Env>);
  return async (fields: object, client: string) => {
    const body = { "cf-turnstile-response": "good", ...fields };
    return (await site.post("/api/signup", body, { "CF-Connecting-IP": client })).status;
  };
}

test.each([
  ["an unknown source", { source: "?" }, 422],
  ["a wrong Turnstile token", { "cf-turnstile-response": "bad" }, 403],
])("posts with someone's address and %s do not count against that address", async (_, fields, status) => {
  const signUp = limitedSite();
  for (let n = 0; n < 30; n += 1) {
    expect(await signUp({ email: "ada@example.com", ...fields }, `198.18.${n % 10}.7`)).toBe(status);
  }
  expect(await signUp({ email: "ada@example.com" }, "203.0.113.7")).toBe(201);
});

test.each([
  ["tagged spellings", ["ada+a@example.com", "ada+b@example.com", "ada+c@example.com"], "ada@example.com"],
  [
    "names at a Fastmail domain",
    ["a@ada.fastmail.com", "b@ada.fastmail.com", "c@ada.fastmail.com"],
    "ada@fastmail.com",
  ],
])("%s of someone's address leave that person an email a day", async (_, spellings, own) => {
  const signUp = limitedSite();
  const statuses = [];
  for (const email of spellings) statuses.push(await signUp({ email }, "198.18.0.7"));
  expect(statuses).toEqual([201, 201, 429]);
  expect(await signUp({ email: own }, "203.0.113.7")).toBe(201);
  expect(await rows("email_outbox")).toHaveLength(3);
});
