import { describe, expect, test } from "vitest";
import { HONEYPOT_FIELD } from "#app/waitlist/abuse/honeypot.ts";
import { brokenD1 } from "#tests/support/pool/broken-d1.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { apiSite } from "#tests/support/pool/site.ts";

freshDatabaseForEachTest();
const log = captureLog();

const full = { limit: async () => ({ success: false }) };
const turnedAway = async () => (await rows<{ reason: string }>("blocked_attempts")).map(({ reason }) => reason);

/** A try in which everything is wrong that the gate looks at, in the gate's order, but for what has been put right. */
function wrongTry(right: { body?: boolean; origin?: boolean; honeypot?: boolean; address?: boolean }) {
  const fields = { email: right.address ? "ada@example.com" : "ada", [HONEYPOT_FIELD]: right.honeypot ? "" : "spam" };
  return {
    body: right.body ? JSON.stringify(fields) : "no JSON",
    headers: (right.origin ? {} : { Origin: "https://evil.example" }) as Record<string, string>,
  };
}

describe.each(["/api/signup", "/api/send-welcome"])("%s", (door) => {
  const success = door === "/api/signup" ? 201 : 200;

  test.each([
    ["body", wrongTry({}), 400],
    ["origin", wrongTry({ body: true }), 403],
    ["honeypot", wrongTry({ body: true, origin: true }), success],
    ["address", wrongTry({ body: true, origin: true, honeypot: true }), 422],
    ["rate-limited", wrongTry({ body: true, origin: true, honeypot: true, address: true }), 429],
  ])(
    "looks at things in one order, and counts the first that is wrong: %s",
    async (reason, { body, headers }, status) => {
      const site = apiSite({ CLIENT_LIMIT: full });
      expect((await site.post(door, body, headers)).status).toBe(status);
      expect(await turnedAway()).toEqual([reason]);
      expect(await rows("waitlist_emails")).toEqual([]);
    },
  );

  test("counts nothing of whom it lets through, and answers as ever when it cannot count", async () => {
    await apiSite().post(door, { email: "ada@example.com" });
    expect(await turnedAway()).toEqual([]);
    expect((await apiSite({ DB: brokenD1 }).post(door, "no JSON")).status).toBe(400);
    expect(log.join()).toContain("blocked-not-counted");
  });
});

test("no address and no client is kept with the counts or logged", async () => {
  const client = { "CF-Connecting-IP": "203.0.113.77" };
  await apiSite({ CLIENT_LIMIT: full }).post("/api/signup", { email: "ada@example.com" }, client);
  const kept = JSON.stringify(await rows("blocked_attempts")) + log.join();
  expect(kept).toContain("rate-limited");
  expect(kept).not.toMatch(/ada|203\.0\.113/);
});
