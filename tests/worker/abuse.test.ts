import { env } from "cloudflare:test";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { withinOneMinute } from "#tests/support/minute.ts";
import { brokenD1 } from "#tests/support/pool/d1.ts";
import { emailBinding } from "#tests/support/pool/emails.ts";
import { mockFetch, passedVerdict, turnstileKeys, unlimitedRates } from "#tests/support/pool/failures.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshStorageForEachTest();

const exhausted = { limit: async () => ({ success: false }) };
const blockedReasons = async () => (await rows<{ reason: string }>("blocked_attempts")).map(({ reason }) => reason);

const evil = { Origin: "https://evil.example" };
const filled = '{"email":"ada","pitch_remark":"spam"}';

describe.each([
  ["/api/signup", 201],
  ["/api/send-welcome", 200],
])("%s", (entryPoint, success) => {
  // Each of these attempts fails what is checked later as well.
  test.each([
    ["body", "no JSON", evil, 400],
    ["origin", filled, evil, 403],
    ["honeypot", filled, {}, success],
    ["address", '{"email":"ada"}', {}, 422],
    ["rate-limited", '{"email":"ada@example.com"}', {}, 429],
  ])("checks in a fixed order and counts the first failure: %s", async (reason, body, headers, status) => {
    const site = apiSite({ CLIENT_LIMIT: exhausted });
    const response = await site.post(entryPoint, body, headers as Record<string, string>);
    expect([response.status, response.headers.get("Retry-After")]).toEqual([status, status === 429 ? "60" : null]);
    expect(await blockedReasons()).toEqual([reason]);
    expect(await rows("waitlist_emails")).toEqual([]);
  });

  test("does not count passed attempts, and still responds when counting fails", async () => {
    await apiSite().post(entryPoint, { email: "ada@example.com" });
    expect(await blockedReasons()).toEqual([]);
    expect((await apiSite({ DB: brokenD1 }).post(entryPoint, "no JSON")).status).toBe(400);
    expect(log.join()).toContain("blocked-not-counted");
  });
});

test("neither the address nor the client is stored or logged", async () => {
  const client = { "CF-Connecting-IP": "203.0.113.77" };
  await apiSite({ CLIENT_LIMIT: exhausted }).post("/api/signup", { email: "ada@example.com" }, client);
  const recorded = JSON.stringify(await rows("blocked_attempts")) + log.join();
  expect(recorded).toContain("rate-limited");
  expect(recorded).not.toMatch(/\bada\b|203\.0\.113/);
});

test.each<[keyof Env, number]>([
  ["CLIENT_LIMIT", 30],
  ["NETWORK_56_LIMIT", 60],
  ["NETWORK_48_LIMIT", 120],
  ["ADDRESS_LIMIT", 10],
  ["STRICT_LIMIT", 5],
  ["UNVERIFIED_LIMIT", 20],
  ["API_LIMIT", 120],
  ["FAIR_LIMIT", 120],
])("the platform's %s accepts %i attempts a minute with one key, and others count apart", async (name, most) => {
  const platform = env[name] as RateLimit;
  const accepted = await withinOneMinute(async (run) => {
    let count = 0;
    for (let n = 0; n <= most; n += 1) if ((await platform.limit({ key: `client ${run}` })).success) count += 1;
    return [count, (await platform.limit({ key: `another ${run}` })).success];
  });
  expect(accepted).toEqual([most, true]);
});

test("a site has the platform's limits", async () => {
  const { post } = apiSite({ ADDRESS_LIMIT: env.ADDRESS_LIMIT });
  const statuses = await withinOneMinute(async (run) => {
    const responses = [];
    for (let n = 0; n < 11; n += 1) responses.push(await post("/api/send-welcome", { email: `ada${run}@example.com` }));
    return responses.map(({ status }) => status);
  });
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
});

/* What a stranger who enters someone's address can do to keep that person off the waitlist. */

/** Signs up on a site with Turnstile, which only the token `good` passes. */
function turnstileSite() {
  mockFetch(async (request) => {
    const isGood = (await request.formData()).get("response") === "good";
    return Response.json(isGood ? passedVerdict : { success: false, "error-codes": ["invalid-input-response"] });
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const site = apiSite(turnstileKeys as Partial<Env>);
  return async (fields: object, client: string) => {
    const body = { "cf-turnstile-response": "good", ...fields };
    return (await site.post("/api/signup", body, { "CF-Connecting-IP": client })).status;
  };
}

test.each([
  ["an unknown source", { source: "?" }, 422],
  ["a wrong Turnstile token", { "cf-turnstile-response": "bad" }, 403],
])("posts with someone's address and %s do not count against that address", async (_, fields, status) => {
  const signUp = turnstileSite();
  for (let n = 0; n < 30; n += 1) {
    expect(await signUp({ email: "ada@example.com", ...fields }, `198.18.${n % 10}.7`)).toBe(status);
  }
  expect(await signUp({ email: "ada@example.com" }, "203.0.113.7")).toBe(201);
});

test("spellings of one mailbox, each from another network, get three emails a day where no rate limit helps", async () => {
  const { binding, accepted } = emailBinding();
  const site = apiSite({ ...unlimitedRates, EMAIL: binding });
  const statuses = [];
  for (let n = 0; n < 64; n += 1) {
    const dotted = [..."lovelace"].map((letter, place) => ((n >> place) & 1 ? `${letter.toUpperCase()}.` : letter));
    const email = `ada${dotted.join("")}${n % 3 ? "" : `+fair${n}`}@${["gmail.com", "googlemail.com", "GMail.com."][n % 3]}`;
    const client = { "CF-Connecting-IP": n % 2 ? `198.18.${n}.7` : `2001:db8:${n}:1::7` };
    const response = await site.post("/api/signup", { email }, client);
    statuses.push(response.status);
    if (response.status === 429) expect(response.headers.get("Retry-After")).toMatch(/^8[56]\d{3}$/);
    else await site.post("/api/send-welcome", { email }, client);
  }
  expect(statuses.filter((status) => status === 201)).toHaveLength(3);
  expect(new Set(statuses)).toEqual(new Set([201, 429]));
  expect(accepted).toHaveLength(3);
});
