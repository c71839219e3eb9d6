import { describe, expect, test } from "vitest";
import { releaseUnverified, retryNow } from "#app/email/pauses.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation/confirmation.server.ts";
import { sendAndBounce } from "#tests/support/pool/bounces.ts";
import { outboxHarness } from "#tests/support/pool/emails.ts";
import { execute, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const DAY = 24 * 3_600_000;

const countedOutbox = ({ mustConfirm = false } = {}) => outboxHarness({ emailsPerHour: 2_000, mustConfirm });

describe("after 15 bounces, and 3 % of the last day's sign-up emails", () => {
  test("emails to unverified sign-ups wait, those to verified ones and to people who confirmed go on", async () => {
    const outbox = countedOutbox({ mustConfirm: true });
    await sendAndBounce(outbox, { sent: 20, bounced: 15 });
    await outbox.join("unverified@example.com", { verified: null });
    await outbox.join("verified@example.com", { verified: true });
    await confirmEntry(outbox.db, 20, outbox.clock.now);
    const before = outbox.accepted.length;
    await outbox.sweep();
    expect(outbox.accepted.slice(before)).toContain("verified@example.com");
    expect(outbox.accepted).toHaveLength(before + 2);
    expect(outbox.accepted).not.toContain("unverified@example.com");
    const waiting = (await rows("email_outbox")).filter(({ done_at, dead_at }) => done_at === null && dead_at === null);
    expect(waiting).toMatchObject([{ reason: "sign-up-bounces", attempts: 0 }]);

    outbox.clock.now += 2 * DAY;
    // The pause ends by the owner's release alone, not by “Try now”.
    expect(await retryNow(outbox.db, outbox.clock.now)).toBe(false);
    await outbox.sweep();
    expect(outbox.accepted).not.toContain("unverified@example.com");
  });

  test("a release sends what waited, once, and counts bounces anew", async () => {
    const outbox = countedOutbox();
    await sendAndBounce(outbox, { sent: 15, bounced: 15 });
    for (const name of ["ada", "bob"]) await outbox.join(`${name}@example.com`, { verified: null });
    await outbox.sweep();
    expect(outbox.accepted).toHaveLength(15);
    outbox.clock.now += 1;
    expect(await releaseUnverified(outbox.db, outbox.clock.now)).toBe(true);
    expect(await releaseUnverified(outbox.db, outbox.clock.now)).toBe(false);
    outbox.clock.now += 1;
    await Promise.all([outbox.sweep(), outbox.sweep()]);
    expect(outbox.accepted.slice(15).toSorted()).toEqual(["ada@example.com", "bob@example.com"]);

    await sendAndBounce(outbox, { sent: 14, bounced: 14 });
    await outbox.join("cyd@example.com", { verified: null });
    await outbox.sweep();
    expect(outbox.accepted).toContain("cyd@example.com");
    await sendAndBounce(outbox, { sent: 1, bounced: 1 });
    await outbox.join("dan@example.com", { verified: null });
    await outbox.sweep();
    expect(outbox.accepted).not.toContain("dan@example.com");
  });

  test("addresses that the provider refuses at once count as well", async () => {
    const outbox = countedOutbox();
    const refused = { state: "permanent", reason: "address-refused", detail: "no mailbox" } as const;
    const { mailer } = outbox.deps;
    outbox.deps.mailer = { keyLifetime: 0, send: async () => refused };
    for (let n = 0; n < 15; n += 1) await outbox.join(`fake${n}@example.com`, { verified: null });
    await outbox.sweep();
    outbox.deps.mailer = mailer;
    await outbox.join("ada@example.com", { verified: null });
    await outbox.sweep();
    expect(outbox.accepted).toEqual([]);
  });
});

test.each([
  ["14 bounces of 14 emails", { delivered: 0, bounced: 14 }],
  ["15 bounces of 510 emails", { delivered: 495, bounced: 15 }],
])("%s hold nothing", async (_, { delivered, bounced }) => {
  const outbox = countedOutbox();
  const sent = `WITH RECURSIVE email(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM email)
    INSERT INTO email_outbox (id, kind, dedupe_key, priority, done_at, next_attempt_at, created_at)
    SELECT 'delivered-' || n, 'welcome', 'delivered:' || n, 3, ?, 0, 0 FROM email LIMIT ?`;
  await execute(sent, outbox.clock.now, delivered);
  await sendAndBounce(outbox, { sent: bounced, bounced });
  await outbox.join("after@example.com", { verified: null });
  await outbox.sweep();
  expect(outbox.accepted).toContain("after@example.com");
  expect(await rows("email_pauses")).toEqual([]);
});
