import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { cloudflareMailer } from "#app/email/providers/cloudflare/mailer.server.ts";
import type { LetterDeps } from "#app/features/letters/send/due-batches.server.ts";
import { resolveUnknown, resumeLetter, stopLetter } from "#app/features/letters/send/letter-states.server.ts";
import { planLimits } from "#app/server/config/plan-limits.ts";
import { apiError } from "#scripts/lib/resend-rules.ts";
import { HOUR, MINUTE, recipients, startedLetter } from "#tests/features/letters/pool/letter-harness.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

const log = freshDatabaseForEachTest();

test("an email whose acceptance was not confirmed is retried identically, and arrives once", async () => {
  const { sweep, accepted, letter, pass, resend, people, stats } = await startedLetter(150);
  await resend.fail("accepted-with-error", "accepted-without-response");
  await sweep();
  expect((await letter()).state).toBe("sending");
  await pass(2 * MINUTE);
  await sweep();
  expect(await accepted()).toEqual(people);
  expect(await stats()).toMatchObject({ sent: 150, unknown: 0, skipped: 0 });
});

test("stopped while the provider has not confirmed a batch, its recipients are unknown, and can count as sent", async () => {
  const { sweep, accepted, pass, resend, db, clock, stats, id } = await startedLetter(150);
  await resend.fail("accepted-with-error");
  await sweep();
  expect(await stopLetter(db, id, clock.now)).toBe(true);
  await pass(HOUR);
  await sweep();
  const before = await stats();
  expect(before.sent + before.unknown + before.skipped).toBe(150);
  expect(before.unknown).toBeGreaterThan(0);
  expect(await resolveUnknown(db, id, "send-again", clock.now)).toBe(0);
  expect(await resolveUnknown(db, id, "count-as-sent", clock.now)).toBe(before.unknown);
  const { sent } = await stats();
  expect(sent).toBe((await accepted()).length);
});

test("after 25 hours of silence the owner decides, and few people are affected", async () => {
  const { sweep, accepted, pass, resend, db, clock, stats, id } = await startedLetter(900);
  await resend.fail(...Array.from({ length: 400 }, () => apiError(503, "service_unavailable", "Try again.")));
  // At once again, too: while some wait for their next attempt, no other batch begins.
  for (const hours of [0, 1, 12, 12]) {
    await sweep();
    await pass(hours * HOUR);
  }
  await sweep();
  const { unknown, pending } = await stats();
  expect(unknown).toBeGreaterThan(0);
  expect(unknown).toBeLessThanOrEqual(800);
  expect(unknown + pending).toBe(900);
  expect(await accepted()).toEqual([]);
  expect(await resolveUnknown(db, id, "count-as-sent", clock.now)).toBe(unknown);
  expect(await stats()).toMatchObject({
    sent: unknown,
    unknown: 0,
    reasons: [{ state: "sent", reason: "counted-as-sent", people: unknown }],
  });
});

test("at the provider's quota, in the middle, it pauses, and goes on by itself when the provider accepts it", async () => {
  const { sweep, accepted, letter, pass, resend, clock, people } = await startedLetter(900);
  // Enough for one group of batches.
  await sweep(30);
  expect(await accepted()).toHaveLength(800);
  const quota = apiError(429, "daily_quota_exceeded", "You have reached your daily quota.");
  await resend.fail(quota);
  await sweep(25);
  expect((await letter()).pause).toEqual({ reason: "daily-quota", until: clock.now + 15 * MINUTE });
  expect((await recipients()).filter(({ state }) => state === "pending")).toHaveLength(100);
  await resend.fail(quota);
  await pass(15 * MINUTE);
  await sweep();
  expect(await letter()).toMatchObject({ pause: { reason: "daily-quota" } });
  await pass(15 * MINUTE);
  await sweep();
  expect(await accepted()).toEqual(people);
  expect((await letter()).state).toBe("finished");
});

test("a fault of the configuration pauses it without losing anybody", async () => {
  const { sweep, accepted, letter, resend, db, people, id } = await startedLetter(120);
  await resend.fail(apiError(403, "invalid_api_key", "API key is invalid."), apiError(403, "invalid_api_key", "…"));
  await sweep();
  expect(await letter()).toMatchObject({ pause: { reason: "wrong-key", until: null } });
  expect(await resumeLetter(db, id)).toBe(true);
  await sweep();
  expect(await accepted()).toEqual(people);
});

test("if every email of a batch is rejected, the letter pauses instead of failing for everybody", async () => {
  const { sweep, letter, accepted, db, id } = await startedLetter(50);
  await env.DB.exec("UPDATE waitlist_emails SET email = replace(email, '@', ' @')");
  await sweep();
  expect(await letter()).toMatchObject({ pause: { reason: "rejected", until: null } });
  // The provider would repeat its response to the same key.
  await env.DB.exec("UPDATE waitlist_emails SET email = replace(email, ' @', '@')");
  await resumeLetter(db, id);
  await sweep();
  expect(await accepted()).toHaveLength(50);
});

test.each<[string, Pick<LetterDeps, "plan"> | Pick<LetterDeps, "mailer">]>([
  ["a site without a sender", { mailer: null }],
  ["the Workers plan", { plan: planLimits.free }],
  ["Cloudflare's email service, on any plan,", { mailer: cloudflareMailer(env.EMAIL, env.MAIL_FROM) }],
])("a letter that %s does not allow pauses", async (_, change) => {
  const { sweep, letter, accepted, deps } = await startedLetter(1);
  await sweep(800, change as Partial<typeof deps>);
  expect(await letter()).toMatchObject({ pause: { reason: "letters-refused", until: null } });
  expect(await accepted()).toEqual([]);
});

test("the provider's rate limit slows it down, and loses nobody", async () => {
  const { sweep, accepted, resend, people } = await startedLetter(900);
  const limited = apiError(429, "rate_limit_exceeded", "Too many requests.", { "retry-after": "1" });
  await resend.fail(limited, limited, limited);
  await sweep();
  expect(await accepted()).toEqual(people);
  expect((await resend.state()).requests).toBe(12);
});

test("while all email is paused, no batch is sent", async () => {
  const { sweep, accepted, clock } = await startedLetter(1);
  await env.DB.exec(`INSERT INTO email_pauses VALUES ('all', 0, 'daily-quota', ${clock.now + HOUR}, 0)`);
  await sweep();
  expect(await accepted()).toEqual([]);
  clock.now += 2 * HOUR;
  await sweep();
  expect(await accepted()).toHaveLength(1);
});

test("the provider's error text is logged without any recipient's address, however it is spelt", async () => {
  const { sweep, resend } = await startedLetter(3);
  await resend.fail(apiError(422, "invalid_parameter", "person2%40example.com, person1 at example.com, person3: no"));
  await sweep();
  const failed = log.map((line) => JSON.parse(line)).filter(({ event }) => event === "letter-batch-failed");
  expect(failed).toHaveLength(1);
  expect(failed[0].error).toContain("[address] [address], [address]: no");
  expect(log.join()).not.toMatch(/person\d/);
});
