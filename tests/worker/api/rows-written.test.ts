import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { encodeCode } from "#app/waitlist/entries/entry-code.server.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { emailBinding } from "#tests/support/pool/emails.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { freshStorageForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";

/*
 * D1 bills each row written, and each index entry written with it. The free plan allows 100,000 a day.
 * https://developers.cloudflare.com/d1/platform/pricing/
 */

freshStorageForEachTest();

const everyField = {
  email: "ada@example.com",
  source: "ways_to_help_section",
  utm_source: "fb_ads",
  utm_medium: "paid",
  utm_campaign: "spring",
  utm_term: "stall",
  utm_content: "b",
  referrer_host: "news.example",
};

/** A site whose database counts the rows written, in total and by statement. */
function meteredSite(vars: object = {}) {
  const meter = meteredD1();
  const site = apiSite({ DB: meter.d1, EMAIL: emailBinding().binding, ...vars });
  const byStatement = () => meter.executed.map(({ sql, rowsWritten }) => `${rowsWritten}: ${sql.slice(0, 40)}`);
  return {
    ...meter,
    signUp: async (more: object = {}) => (await site.post("/api/signup", { ...everyField, ...more })).status,
    requestWelcome: async () => (await site.post("/api/send-welcome", { email: everyField.email })).status,
    described: () => `${meter.rowsWritten()} rows written\n${byStatement().join("\n")}`,
  };
}

test.each(["off", "on"])(
  "with CONFIRM_ADDRESSES %s, a sign-up writes at most 10 rows, 16 with its email, and none when it is repeated",
  async (CONFIRM_ADDRESSES) => {
    const site = meteredSite({ CONFIRM_ADDRESSES });
    expect(await site.signUp()).toBe(201);
    expect(site.rowsWritten(), `a sign-up: ${site.described()}`).toBeGreaterThan(1);
    expect(site.rowsWritten(), `a sign-up: ${site.described()}`).toBeLessThanOrEqual(10);
    expect(await site.requestWelcome()).toBe(200);
    expect(await rows("email_outbox")).toMatchObject([{ done_at: expect.any(Number) }]);
    expect(site.rowsWritten(), `with its email, recorded as sent: ${site.described()}`).toBeLessThanOrEqual(16);
    site.reset();
    expect([await site.signUp(), await site.requestWelcome()]).toEqual([409, 200]);
    expect(site.executed.length).toBeGreaterThan(0);
    expect(site.rowsWritten(), `repeated: ${site.described()}`).toBe(0);
  },
);

describe("through someone's personal link", () => {
  needs("referrals");

  test.each(["off", "on"])(
    "with CONFIRM_ADDRESSES %s, a sign-up writes two rows more than without one, and at most 12",
    async (CONFIRM_ADDRESSES) => {
      const via = await encodeCode(await join("grace@example.com"), env.HASH_KEY);
      const site = meteredSite({ CONFIRM_ADDRESSES });
      expect(await site.signUp()).toBe(201);
      const without = site.rowsWritten();
      await env.DB.exec("DELETE FROM waitlist_emails WHERE email = 'ada@example.com'");
      site.reset();
      expect(await site.signUp({ via })).toBe(201);
      expect(await rows("referrals")).toMatchObject([{ referrer_id: 1 }]);
      expect(site.rowsWritten() - without, site.described()).toBe(2);
      expect(site.rowsWritten(), site.described()).toBeLessThanOrEqual(12);
    },
  );
});

describe("with a webhook endpoint", () => {
  needs("referrals", "webhooks");

  test.each([0, 1, 100_000])(
    "and %d events that wait, a sign-up through a link writes at most 14 rows",
    async (waiting) => {
      const via = await encodeCode(await join("grace@example.com"), env.HASH_KEY);
      await env.DB.exec(
        `INSERT INTO webhook_endpoints (url, events, created_at) VALUES ('https://hooks.example/', '["entry.joined"]', 0)`,
      );
      await env.DB.prepare(
        `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
      INSERT INTO jobs (kind, subject, data, created_at, next_attempt_at) SELECT 'webhook', 1, '{}', 0, 0 FROM numbers WHERE ?1 > 0`,
      )
        .bind(waiting)
        .run();
      const site = meteredSite();
      expect(await site.signUp({ via })).toBe(201);
      const [{ events } = { events: 0 }] = (
        await env.DB.prepare("SELECT count(*) AS events FROM jobs").all<{ events: number }>()
      ).results;
      expect(events).toBe(waiting + 1);
      expect(site.rowsWritten(), site.described()).toBeLessThanOrEqual(14);
      expect(site.rowsRead(), site.described()).toBeLessThan(100);
    },
  );
});
