import { describe, expect, test } from "vitest";
import { HONEYPOT_FIELD } from "#app/waitlist/abuse/honeypot.ts";
import { brokenD1 } from "#tests/support/pool/broken-d1.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { locationLimits } from "#tests/support/pool/location-limits.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { apiSite } from "#tests/support/pool/site.ts";

freshStorageForEachTest();
const log = captureLog();

const exhausted = { limit: async () => ({ success: false }) };
const blockedReasons = async () => (await rows<{ reason: string }>("blocked_attempts")).map(({ reason }) => reason);

/** An attempt that fails every abuse check except the valid ones. */
function badAttempt(valid: { body?: boolean; origin?: boolean; honeypot?: boolean; address?: boolean }) {
  const fields = { email: valid.address ? "ada@example.com" : "ada", [HONEYPOT_FIELD]: valid.honeypot ? "" : "spam" };
  return {
    body: valid.body ? JSON.stringify(fields) : "no JSON",
    headers: (valid.origin ? {} : { Origin: "https://evil.example" }) as Record<string, string>,
  };
}

describe.each(["/api/signup", "/api/send-welcome"])("%s", (entryPoint) => {
  const success = entryPoint === "/api/signup" ? 201 : 200;

  test.each([
    ["body", badAttempt({}), 400],
    ["origin", badAttempt({ body: true }), 403],
    ["honeypot", badAttempt({ body: true, origin: true }), success],
    ["address", badAttempt({ body: true, origin: true, honeypot: true }), 422],
    ["rate-limited", badAttempt({ body: true, origin: true, honeypot: true, address: true }), 429],
  ])("checks in a fixed order and counts the first failure: %s", async (reason, { body, headers }, status) => {
    const site = apiSite({ CLIENT_LIMIT: exhausted });
    expect((await site.post(entryPoint, body, headers)).status).toBe(status);
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

test("a client has 30 attempts a minute at each of Cloudflare's locations, which count apart", async () => {
  const now = Date.now();
  const attempts = async () => {
    const site = apiSite(locationLimits(() => now));
    const statuses = [];
    for (let n = 0; n < 31; n += 1) {
      const headers = { "CF-Connecting-IP": "192.0.2.1" };
      statuses.push((await site.post("/api/signup", { email: `ada${n}@example.com` }, headers)).status);
    }
    return statuses.filter((status) => status === 429).length;
  };
  expect([await attempts(), await attempts()]).toEqual([1, 1]);
});
