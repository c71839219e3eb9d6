import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { isRefusal } from "#app/server/db/daily-quota-error.ts";
import { logError } from "#app/server/log.ts";
import { quotaD1, refusal, refusingD1 } from "#tests/support/pool/d1.ts";
import { emailBinding } from "#tests/support/pool/emails.ts";
import { unlimitedRates } from "#tests/support/pool/failures.ts";
import { playedKv } from "#tests/support/pool/played-kv.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshStorageForEachTest();

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 12), toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

function siteOn(DB: D1Database) {
  const { binding: EMAIL, accepted } = emailBinding();
  return { ...apiSite({ ...unlimitedRates, DB, CACHE: playedKv(() => Date.now()).location()(), EMAIL }), accepted };
}

test.each(Array.from({ length: 12 }, (_, statement) => statement))(
  "D1 refuses from statement %i on, in the middle of a batch: each sign-up is stored with its email, or its visitor told",
  async (first) => {
    const site = siteOn(refusingD1((statement) => statement >= first));
    const joined: string[] = [];
    for (const email of ["ada@example.com", "bob@example.com"]) {
      const { status } = await site.post("/api/signup", { email });
      if (status === 201) joined.push(email);
      else expect(status).toBe(503);
      await site.post("/api/send-welcome", { email });
    }
    expect(joined).toHaveLength(first < 8 ? 0 : 1);
    expect((await rows("waitlist_emails")).map(({ email }) => email)).toEqual(joined);
    // Those that are not recorded as sent wait for the cron job.
    expect(await rows("email_outbox")).toHaveLength(joined.length);
    expect(joined).toEqual(expect.arrayContaining(site.accepted));
  },
);

test("D1 accepts sign-ups again at midnight UTC", async () => {
  const site = siteOn(quotaD1({ written: 1 }).d1);
  const join = async (email: string) => (await site.post("/api/signup", { email })).status;
  expect([await join("ada@example.com"), await join("bob@example.com")]).toEqual([201, 503]);
  vi.setSystemTime(Date.UTC(2026, 10, 22));
  expect(await join("bob@example.com")).toBe(201);
});

test("all refusals of a request are one line in the log", async () => {
  const db = openDb(refusingD1(() => true));
  for (let query = 0; query < 2; query += 1)
    await db.run("SELECT 1").catch((error: unknown) => logError("query-failed", error));
  expect(log).toHaveLength(1);
});

test.each([
  [refusal("read").message, true],
  [refusal("write").message, true],
  ["D1_ERROR: Exceeded the daily limit of rows written on the free plan", true],
  ["D1_ERROR: Exceeded maximum DB size", false],
  ["D1_ERROR: D1 DB exceeded its CPU time limit and was reset.", false],
  ["D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.", false],
  ["Too many API requests by single Worker invocation.", false],
  ["KV put() limit exceeded for the day.", false],
])("%s: the daily quota: %s", (message, isQuota) => {
  expect(isRefusal(new Error(message))).toBe(isQuota);
});
