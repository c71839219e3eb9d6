import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { describePause, pauseAll, readPause, retryNow } from "#app/email/pauses.server.ts";
import { resendMailer } from "#app/email/providers/resend/mailer.server.ts";
import { requeueDead, requeueWelcome } from "#app/email/requeue.server.ts";
import { sendEmail } from "#app/email/sender.server.ts";
import { ownerEmailUpsert } from "#app/server/db/enqueue-email.server.ts";
import { ownerId } from "#app/server/owners.server.ts";
import type { AccountOptions } from "#scripts/lib/resend-rules.ts";
import { OWNER, outboxHarness } from "#tests/support/pool/emails.ts";
import { openResendAccount } from "#tests/support/pool/resend-account.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Row = { id: string; attempts: number; done_at: number | null; dead_at: number | null; reason: string | null };

/** Queued welcomes, sent through an account at Resend. A sweep that waits for the next window finds it begun. */
async function queued(emails: number, options: AccountOptions = {}) {
  const account = await openResendAccount({ apiKey: "re_1", ...options });
  const outbox = outboxHarness({ ownerEmails: [OWNER] });
  const setKey = (apiKey: string) => {
    outbox.deps.mailer = resendMailer({ apiKey, from: env.MAIL_FROM, url: account.url });
  };
  setKey("re_1");
  const waits: number[] = [];
  outbox.deps.wait = async (milliseconds) => {
    waits.push(milliseconds);
    outbox.clock.now += milliseconds;
    await account.advance(milliseconds);
  };
  for (let n = 0; n < emails; n += 1) await outbox.join(`ada${n}@example.com`);
  const requests = async () => (await account.state()).requests;
  const attempts = async () => (await rows<Row>("email_outbox")).map((row) => row.attempts);
  const pause = () => readPause(outbox.db, outbox.clock.now);
  return { ...outbox, account, setKey, waits, requests, attempts, pause };
}

describe("a fault of the configuration", () => {
  test("pauses all email for 15 minutes, then one email is tried; once it is sent, all are, with one attempt each", async () => {
    const site = await queued(12);
    site.setKey("re_wrong");
    await site.sweep();
    const before = await site.requests();
    expect(before).toBeLessThanOrEqual(5);
    expect(await site.pause()).toEqual({ reason: "wrong-key", until: site.clock.now + 15 * MINUTE });

    site.clock.now += 15 * MINUTE - 1;
    await site.sweep();
    await sendEmail(site.deps, { email: "ada11@example.com" });
    expect(await site.requests()).toBe(before);

    site.clock.now += 1;
    await sendEmail(site.deps, { email: "ada11@example.com" });
    expect(await site.requests()).toBe(before);
    await site.sweep();
    expect(await site.requests()).toBe(before + 1);
    expect(await site.attempts()).toEqual(Array(12).fill(0));

    site.setKey("re_1");
    site.clock.now += 15 * MINUTE;
    expect(await site.sweep()).toEqual({ sent: 12, failed: 0, dead: 0 });
    expect(await site.requests()).toBe(before + 13);
    expect(await site.attempts()).toEqual(Array(12).fill(1));
    expect(await rows("email_pauses")).toEqual([]);
  });

  test("a refusal without a cause is about one email while the provider accepts others: no pause, and it counts", async () => {
    const site = await queued(1);
    const refused = { state: "configuration", reason: "refused-request", detail: "403" } as const;
    const send = async ({ to }: { to: string }) => (to === "ada0@example.com" ? refused : ({ state: "sent" } as const));
    site.deps.mailer = { keyLifetime: DAY, send };
    const refusedRow = async () => (await rows<Row & { next_attempt_at: number }>("email_outbox"))[0];
    await site.sweep();
    expect(await site.pause()).toEqual({ reason: "refused-request", until: site.clock.now + 15 * MINUTE });
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      site.clock.now = ((await refusedRow())?.next_attempt_at ?? 0) - MINUTE;
      await site.join(`other${attempt}@example.com`);
      site.clock.now += attempt === 1 ? MINUTE : 0;
      await site.sweep();
      site.clock.now += MINUTE;
      await site.sweep();
      expect(await site.pause()).toBeNull();
      expect((await refusedRow())?.attempts).toBe(attempt);
    }
    expect(await refusedRow()).toMatchObject({ reason: "refused-request", dead_at: site.clock.now });
    expect((await rows<Row>("email_outbox")).filter(({ done_at }) => done_at === null)).toHaveLength(1);
  });

  test("another email tries next, so that one email cannot stop all others", async () => {
    const site = await queued(2, { verified: [] });
    for (let sweep = 0; sweep < 3; sweep += 1) {
      await site.sweep();
      site.clock.now += 15 * MINUTE;
    }
    expect((await rows<Row>("email_outbox")).map(({ reason }) => reason)).toEqual(Array(2).fill("unverified-sender"));
  });
});

describe("quotas", () => {
  test("the monthly quota pauses all email for an hour, but not beyond the end of the month", async () => {
    const site = await queued(1, { monthlyQuota: 0 });
    for (const [time, until] of [
      [Date.UTC(2026, 10, 21), Date.UTC(2026, 10, 21, 1)],
      [Date.UTC(2026, 11, 31, 23, 50), Date.UTC(2027, 0, 1)],
    ] as const) {
      site.clock.now = time;
      await site.sweep();
      expect(await site.pause()).toEqual({ reason: "monthly-quota", until });
    }
  });

  test("“Try now” tries one email at the next sweep; if it is refused, the pause begins again", async () => {
    const site = await queued(4, { monthlyQuota: 1 });
    await site.sweep();
    expect(await retryNow(site.db, site.clock.now)).toBe(true);
    expect(await describePause(site.db, site.clock.now, "UTC")).toContain("next attempt within a minute");
    const before = await site.requests();
    await site.sweep();
    expect(await site.requests()).toBe(before + 1);
    expect(await site.pause()).toEqual({ reason: "monthly-quota", until: site.clock.now + HOUR });

    await site.account.configure({ monthlyQuota: 1_000 });
    await retryNow(site.db, site.clock.now);
    expect(await site.sweep()).toMatchObject({ sent: 3 });
    expect(await retryNow(site.db, site.clock.now)).toBe(false);
  });

  test("a sign-in link is tried in spite of it; once the provider accepts it, the others follow at the next sweep", async () => {
    const site = await queued(3, { dailyQuota: 0 });
    await site.sweep();
    const link = { id: crypto.randomUUID(), ownerId: await ownerId(OWNER), data: { expiresAt: site.clock.now + HOUR } };
    await ownerEmailUpsert(site.db, "sign-in", [link], undefined, site.clock.now);
    const before = await site.requests();
    expect(await sendEmail(site.deps, { id: link.id })).toBe("done");
    expect(await site.requests()).toBe(before);
    await site.account.configure({ dailyQuota: 1_000 });
    expect(await sendEmail(site.deps, { id: link.id }, { despitePause: true })).toBe("done");
    expect((await site.account.state()).accepted.map(({ to }) => to)).toEqual([OWNER]);
    expect(await site.sweep()).toMatchObject({ sent: 3 });
    expect((await site.account.state()).accepted).toHaveLength(4);
  });
});

describe("the rate limit", () => {
  test("a sweep paces itself by the headers: all emails are sent once, with one attempt each", async () => {
    const site = await queued(12, { rateLimit: 2 });
    const { sent, dead } = await site.sweep();
    expect({ sent, dead }).toEqual({ sent: 12, dead: 0 });
    expect((await site.account.state()).accepted).toHaveLength(12);
    expect(await site.attempts()).toEqual(Array(12).fill(1));
    // The first batch, of five at a time, does not know the limit yet; those after it stay within it.
    expect(await site.requests()).toBeLessThanOrEqual(12 + 4);
    expect(site.waits.length).toBeGreaterThanOrEqual(5);
    expect(Math.max(...site.waits)).toBeLessThanOrEqual(1_000);
    expect(await rows("email_pauses")).toEqual([]);
  });

  test("a longer wait ends the sweep, and email continues by itself", async () => {
    const site = await queued(3);
    await site.account.fail(
      ...Array(3).fill({
        status: 429,
        body: { name: "rate_limit_exceeded", message: "" },
        headers: { "retry-after": "60" },
      }),
    );
    await site.sweep();
    expect(site.waits).toEqual([]);
    await sendEmail(site.deps, { email: "ada0@example.com" });
    expect(await site.requests()).toBe(3);
    site.clock.now += MINUTE;
    expect(await site.pause()).toBeNull();
    await sendEmail(site.deps, { email: "ada0@example.com" });
    expect(await site.sweep()).toMatchObject({ sent: 2 });
    expect(await site.attempts()).toEqual([1, 1, 1]);
  });
});

test("an outage of the provider uses up no attempt and pauses no other email; the email is sent once afterwards", async () => {
  const site = await queued(1);
  await site.account.fail("accepted-with-error", ...Array(5).fill({ status: 503, body: {} }));
  for (let hour = 0; hour < 23; hour += 1) {
    await site.sweep();
    site.clock.now += HOUR;
  }
  expect((await site.account.state()).accepted).toHaveLength(1);
  expect(await rows("email_outbox")).toMatchObject([{ attempts: 1, done_at: expect.any(Number) }]);
});

describe("an email whose outcome stays unknown", () => {
  test("is not retried once Resend has forgotten its key; if the owner decides to, it is sent under a new one", async () => {
    const site = await queued(1);
    await site.account.fail(...Array(20).fill("accepted-without-response"));
    for (let hour = 0; hour < 24; hour += 1) {
      await site.sweep();
      site.clock.now += HOUR;
    }
    const before = await site.requests();
    for (let sweep = 0; sweep < 3; sweep += 1) {
      site.clock.now += 12 * HOUR;
      await site.sweep();
    }
    expect(await site.requests()).toBe(before);
    const [dead] = await rows<Row>("email_outbox");
    expect(dead).toMatchObject({ done_at: null, dead_at: expect.any(Number), reason: "outcome-unknown" });

    expect(await requeueDead(site.db, site.clock.now)).toBe(0);
    expect(await requeueDead(site.db, site.clock.now, "outcome-unknown")).toBe(1);
    const [requeued] = await rows<Row>("email_outbox");
    expect(requeued?.id).not.toBe(dead?.id);
    expect(requeued?.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  test("pauses do not count: an email that waited days for the quota is still sent", async () => {
    const site = await queued(1);
    const quota = { status: 429, body: { name: "daily_quota_exceeded", message: "" } };
    await site.account.fail(quota as never, quota as never, quota as never);
    for (let day = 0; day < 4; day += 1) {
      await site.sweep();
      site.clock.now += DAY;
    }
    expect(await rows("email_outbox")).toMatchObject([{ attempts: 1, done_at: expect.any(Number) }]);
  });

  test("a body that did change is never sent: the email is dead, and the owner decides", async () => {
    const site = await queued(1);
    await site.account.fail("accepted-without-response");
    await site.sweep();
    site.deps.emailContext.siteUrl = "https://other.example";
    site.clock.now += HOUR;
    expect(await site.sweep()).toMatchObject({ dead: 1 });
    expect(await rows("email_outbox")).toMatchObject([{ dead_at: site.clock.now, reason: "outcome-unknown" }]);
    expect((await site.account.state()).accepted).toHaveLength(1);

    // The owner sends it again from the entry's page.
    expect(await requeueWelcome(site.db, 1, site.clock.now)).toBe("queued");
    expect(await site.sweep()).toMatchObject({ sent: 1 });
    expect((await site.account.state()).accepted).toHaveLength(2);
  });
});

test("a pause is described with the owner's time, and the date if it is another day", async () => {
  const now = Date.UTC(2026, 6, 21, 12);
  const { db } = outboxHarness();
  const describeUntil = async (until: number) => {
    await pauseAll(db, { reason: "daily-quota", until }, now);
    return describePause(db, now, "Europe/London");
  };
  expect(await describeUntil(Date.UTC(2026, 6, 21, 20))).toBe("Daily limit reached; next attempt at 21:00");
  const nextDay = "Daily limit reached; next attempt on 22 Jul 2026, 01:00";
  expect(await describeUntil(Date.UTC(2026, 6, 22))).toBe(nextDay);
  expect(await describeUntil(now)).toBe("Daily limit reached; next attempt within a minute");
});
