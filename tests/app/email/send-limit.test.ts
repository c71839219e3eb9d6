import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { emailRetries } from "#app/email/limits.ts";
import { sendEmail } from "#app/email/sender.server.ts";
import { ownerEmailUpsert } from "#app/server/db/enqueue-email.server.ts";
import { ownerId } from "#app/server/owners.server.ts";
import { backOff } from "#app/server/queue.server.ts";
import { OWNER, outboxHarness } from "#tests/support/pool/emails.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

const LEASE = 2 * 60_000;

const log = freshDatabaseForEachTest();

const HOUR = 3_600_000;
const visitors = (count: number) => Array.from({ length: count }, (_, n) => `ada${n}@example.com`);

/** An outbox with a send limit and `joined` queued welcomes. */
async function limitedOutbox({ emailsPerHour = 3, joined = 5, failures = 0 } = {}) {
  const outbox = outboxHarness({ account: { failures }, emailsPerHour, ownerEmail: OWNER });
  for (const email of visitors(joined)) await outbox.join(email);
  const toVisitors = () => outbox.accepted.filter((to) => to !== OWNER);
  const toOwner = () => outbox.sent.filter(({ to }) => to === OWNER);
  return { ...outbox, toVisitors, toOwner };
}

test("beyond the send limit, emails wait with a reason and no attempt used up, and are sent an hour later", async () => {
  const outbox = await limitedOutbox();
  expect(await outbox.sweep()).toEqual({ sent: 3, failed: 0, dead: 0 });
  const waiting = (await rows("email_outbox")).filter(({ done_at }) => done_at === null);
  const waits = { attempts: 0, dead_at: null, leased_until: 0, reason: "send-limit" };
  expect(waiting).toMatchObject([waits, waits]);

  outbox.clock.now += HOUR - 1;
  expect(await outbox.sweep()).toMatchObject({ sent: 0 });
  outbox.clock.now += 1;
  expect(await outbox.sweep()).toMatchObject({ sent: 2 });
  expect(outbox.toVisitors().toSorted()).toEqual(visitors(5));
  const toEntries = (await rows("email_outbox")).filter(({ kind }) => kind === "welcome");
  expect(toEntries.map(({ reason }) => reason)).toEqual(Array(5).fill(null));
});

test("the send limit applies to welcome requests, and the result does not show it", async () => {
  const outbox = await limitedOutbox({ emailsPerHour: 2, joined: 3 });
  for (const email of visitors(3)) expect(await sendEmail(outbox.deps, { email })).toBe("done");
  expect(outbox.toVisitors()).toEqual(visitors(2));
  const [, , waits] = await rows("email_outbox");
  expect(waits).toMatchObject({ attempts: 0, reason: "send-limit" });
});

test("concurrent sweeps and welcome requests together stay within the send limit", async () => {
  const outbox = await limitedOutbox({ emailsPerHour: 7, joined: 30 });
  const calls = visitors(30).map((email) => sendEmail(outbox.deps, { email }));
  await Promise.all([outbox.sweep(), outbox.sweep(), ...calls]);
  expect(outbox.toVisitors()).toHaveLength(7);
});

test("an email being sent counts against the send limit until its lease ends, also in a sweep that began before", async () => {
  const outbox = await limitedOutbox({ emailsPerHour: 1, joined: 2 });
  outbox.clock.now += 1_000;
  await outbox.claim();
  outbox.clock.now -= 1_000;
  expect(await outbox.sweep()).toMatchObject({ sent: 0 });
  outbox.clock.now += LEASE + 999;
  expect(await outbox.sweep()).toMatchObject({ sent: 0 });
  outbox.clock.now += 1;
  expect(await outbox.sweep()).toMatchObject({ sent: 1 });
});

test("emails to the owner do not count against the send limit", async () => {
  const outbox = await limitedOutbox({ emailsPerHour: 3, joined: 2 });
  const alert = { since: 0, dead: 1, reasons: [], blocked: null };
  const email = { id: crypto.randomUUID(), ownerId: await ownerId(OWNER), data: alert };
  await ownerEmailUpsert(outbox.db, "alert", [email], undefined, outbox.clock.now);
  expect(await outbox.sweep()).toMatchObject({ sent: 3 });
  await outbox.join("eve@example.com");
  expect(await outbox.sweep()).toMatchObject({ sent: 1 });
  expect([outbox.toVisitors().length, outbox.toOwner().length]).toEqual([3, 1]);
});

describe("emails to unverified sign-ups", () => {
  test("come after those to verified ones, and get half of the send limit", async () => {
    const outbox = outboxHarness({ emailsPerHour: 5 });
    const { accepted } = outbox;
    for (const n of [1, 2, 3, 4, 5, 6]) await outbox.join(`fake${n}@example.com`, { verified: false });
    outbox.clock.now += 1;
    await outbox.join("ada@example.com", { verified: true });
    await outbox.sweep();
    expect(accepted.toSorted()).toEqual(["ada", "fake1", "fake2", "fake3"].map((name) => `${name}@example.com`));
    const reasons = (await rows("email_outbox")).map(({ reason }) => reason);
    expect(reasons.slice(3)).toEqual([...Array(3).fill("unverified-limit"), null]);

    await outbox.join("bob@example.com", { verified: true });
    expect(await sendEmail(outbox.deps, { email: "fake4@example.com" })).toBe("done");
    await outbox.sweep();
    expect(accepted.slice(4)).toEqual(["bob@example.com"]);
    outbox.clock.now += HOUR;
    await outbox.sweep();
    expect(accepted.slice(5).toSorted()).toEqual([4, 5, 6].map((n) => `fake${n}@example.com`));
  });

  test("that are being sent count against their half", async () => {
    const outbox = outboxHarness({ emailsPerHour: 2 });
    for (const n of [1, 2]) await outbox.join(`fake${n}@example.com`, { verified: false });
    expect(await outbox.claim()).toHaveLength(1);
    expect(await outbox.claim()).toHaveLength(0);
    await outbox.join("ada@example.com", { verified: true });
    expect(await outbox.claim()).toMatchObject([{ email: "ada@example.com" }]);
  });

  test("can always be sent, even with a send limit of one", async () => {
    const outbox = outboxHarness({ emailsPerHour: 1 });
    await outbox.join("fake@example.com", { verified: false });
    expect(await outbox.sweep()).toMatchObject({ sent: 1 });
  });
});

test("the send limit is not given as the reason for emails that wait for a retry", async () => {
  const outbox = await limitedOutbox({ joined: 1, failures: 1 });
  await outbox.sweep();
  await outbox.sweep();
  expect((await rows("email_outbox"))[0]?.["reason"]).not.toBe("send-limit");
  expect(outbox.toOwner()).toEqual([]);
});

describe("without Turnstile, the owner", () => {
  test("is told of the limit of unverified sign-ups, how many emails wait, and how to set up Turnstile", async () => {
    const outbox = await limitedOutbox({ emailsPerHour: 8, joined: 0 });
    for (const email of visitors(9)) await outbox.join(email, { verified: null });
    await outbox.sweep();
    await outbox.sweep();
    const [told, ...others] = outbox.toOwner();
    expect(others).toEqual([]);
    for (const body of [told?.text, told?.html]) {
      expect(body).toMatch(/8 emails an hour goes to new sign-ups: 4\..*waiting: 5\./s);
      expect(body).toMatch(/TURNSTILE_SITE_KEY and TURNSTILE_SECRET/);
      expect(body).not.toContain("example.com");
    }
    outbox.clock.now += HOUR;
    await outbox.sweep();
    expect(outbox.toVisitors().toSorted()).toEqual(visitors(8));
    outbox.clock.now += HOUR;
    await outbox.sweep();
    expect(outbox.toVisitors().toSorted()).toEqual(visitors(9));
  });

  test("is not told of it where Turnstile is set up", async () => {
    const outbox = await limitedOutbox({ joined: 0, emailsPerHour: 2 });
    outbox.deps.turnstile = { verify: async () => "passed" };
    for (const email of visitors(2)) await outbox.join(email, { verified: false });
    await outbox.sweep();
    expect([outbox.toVisitors().length, outbox.toOwner().length]).toEqual([1, 0]);
  });
});

describe("the owner", () => {
  test("gets one notification an hour while emails wait, exempt from the send limit, with their number, as the log has it", async () => {
    const outbox = await limitedOutbox({ emailsPerHour: 1, joined: 4 });
    await Promise.all([outbox.sweep(), outbox.sweep()]);
    await outbox.sweep();
    const [notification, ...others] = outbox.toOwner();
    expect(others).toEqual([]);
    for (const body of [notification?.text, notification?.html]) {
      expect(body).toMatch(/\b3\b/);
      expect(body).not.toContain("example.com");
    }
    const stored = await rows<{ kind: string; data: string }>("email_outbox");
    const data = stored.find(({ kind }) => kind === "send-limit")?.data ?? "";
    expect(JSON.parse(data)).toMatchObject({ perHour: 1, waiting: 3 });
    expect(notification).toMatchObject({ replyTo: env.CONTACT_EMAIL });
    const line = log.map((entry) => JSON.parse(entry)).find(({ event }) => event === "email-backlog");
    expect(line).toMatchObject({ level: "warn", reason: "MAIL_PER_HOUR", perHour: 1, emails: 3 });
    expect(log.filter((entry) => entry.includes("@"))).toEqual([]);
    outbox.clock.now += HOUR;
    await outbox.sweep();
    expect(outbox.toVisitors()).toHaveLength(2);
    expect(outbox.toOwner()).toHaveLength(2);
  });

  test("gets a failed notification on retry, once and under the same id, without delaying visitors' emails", async () => {
    const outbox = await limitedOutbox({ emailsPerHour: 1, joined: 2 });
    const left = [1, 2];
    const attempts: string[] = [];
    const { mailer } = outbox.deps;
    outbox.deps.mailer = {
      keyLifetime: 0,
      async send(message, id) {
        if (message.to === OWNER) attempts.push(id);
        if (mailer === null || (message.to === OWNER && left.pop() !== undefined))
          return { state: "unknown", reason: "delivery-failed", detail: `no mailbox ${OWNER}` };
        return mailer.send(message, id);
      },
    };
    expect(await outbox.sweep()).toEqual({ sent: 1, failed: 0, dead: 0 });
    await outbox.sweep();
    expect(attempts).toHaveLength(1);
    const failures = log.map((entry) => JSON.parse(entry)).filter(({ event }) => event === "email-failed");
    expect(failures).toMatchObject([{ kind: "send-limit", outcome: "waiting" }]);
    outbox.clock.now += backOff(emailRetries, 1);
    await outbox.sweep();
    outbox.clock.now += backOff(emailRetries, 2);
    await outbox.sweep();
    await outbox.sweep();
    expect(outbox.toOwner()).toHaveLength(1);
    expect(new Set(attempts).size).toBe(1);
    expect(attempts).toHaveLength(3);
    expect(log.join()).not.toContain(OWNER);
  });
});
