import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { quotaD1, refusal, refusingD1 } from "#tests/support/pool/d1.ts";
import { emailBinding } from "#tests/support/pool/emails.ts";
import { unlimitedRates } from "#tests/support/pool/failures.ts";
import { playedKv } from "#tests/support/pool/played-kv.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshStorageForEachTest();

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 12), toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

/** More rows than one sign-up writes, with its welcome email: tests/worker/api/rows-written.test.ts. */
const ROWS = 20;

function siteOn(DB: D1Database, vars: object = {}) {
  const { binding, accepted } = emailBinding();
  const CACHE = playedKv(() => Date.now()).location()();
  return { ...apiSite({ ...unlimitedRates, DB, CACHE, EMAIL: binding, ...vars }), accepted };
}

type Site = ReturnType<typeof siteOn>;

/** Signs people up as their browsers do, one after the other, and checks that everyone was told what is stored. */
async function expectTold(site: Site, people: number): Promise<number> {
  const joined: string[] = [];
  for (let person = 0; person < people; person += 1) {
    const email = `person-${person}@example.com`;
    const response = await site.post("/api/signup", { email });
    const body = await response.text();
    if (response.status === 201) {
      joined.push(email);
      await site.post("/api/send-welcome", { email });
      continue;
    }
    expect(response.status).toBe(503);
    expect(response.headers.get("Retry-After")).toBe("43200");
    expect(body).toContain("after midnight UTC");
  }
  const entries = await rows<{ id: number; email: string }>("waitlist_emails");
  expect(entries.map(({ email }) => email)).toEqual(joined);
  // Each has its email, sent at most once; those that are not recorded as sent wait for the cron job.
  const outbox = await rows<{ entry_id: number; sent_at: number | null }>("email_outbox");
  expect(outbox.map(({ entry_id }) => entry_id)).toEqual(entries.map(({ id }) => id));
  expect(new Set(site.accepted).size).toBe(site.accepted.length);
  expect(log.join()).not.toContain("@example.com");
  return joined.length;
}

describe.each(["everything", "writes"] as const)("D1 that refuses %s after so many rows", (refuses) => {
  test.each(Array.from({ length: ROWS + 1 }, (_, written) => written))(
    "%i: each sign-up is stored, or its visitor told",
    async (written) => {
      const joined = await expectTold(siteOn(quotaD1({ written, refuses }).d1), 4);
      expect(joined).toBeLessThan(4);
    },
  );
});

test.each(Array.from({ length: 11 }, (_, statement) => statement))(
  "D1 that refuses from statement %i on, in the middle of a batch: each sign-up is stored, or its visitor told",
  async (first) => {
    const joined = await expectTold(siteOn(refusingD1((statement) => statement >= first)), 2);
    expect(joined).toBe(first < 7 ? 0 : 1);
  },
);

test("rows read: the same", async () => {
  expect(await expectTold(siteOn(quotaD1({ read: 1 }).d1), 3)).toBeLessThan(3);
});

test("D1 accepts sign-ups again at midnight UTC", async () => {
  const site = siteOn(quotaD1({ written: 1 }).d1);
  expect((await site.post("/api/signup", { email: "ada@example.com" })).status).toBe(201);
  expect((await site.post("/api/signup", { email: "bob@example.com" })).status).toBe(503);
  vi.setSystemTime(Date.UTC(2026, 10, 22));
  expect((await site.post("/api/signup", { email: "bob@example.com" })).status).toBe(201);
});

test.each([
  [refusal("read").message, true],
  [refusal("write").message, true],
  ["D1_ERROR: Exceeded the daily limit of rows written on the free plan", true],
  ["D1_ERROR: too many SQL variables at offset 514: SQLITE_ERROR", false],
  ["D1_ERROR: Exceeded maximum DB size", false],
  ["D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.", false],
  ["Too many API requests by single Worker invocation.", false],
  ["KV put() limit exceeded for the day.", false],
])("%s: the daily quota: %s", async (message, isQuota) => {
  const fails = () => Promise.reject(new Error(message));
  const statement = { bind: () => statement, all: fails, run: fails, raw: fails, first: fails };
  const site = siteOn({ prepare: () => statement, batch: fails } as unknown as D1Database);
  const response = await site.post("/api/signup", { email: "ada@example.com" });
  expect(response.status).toBe(503);
  expect(response.headers.has("Retry-After")).toBe(isQuota);
});
