import { describe, expect, test } from "vitest";
import { emailRetries } from "#app/email/limits.ts";
import { claimDue } from "#app/email/outbox.server.ts";
import { requeueDead } from "#app/email/requeue.server.ts";
import { sendEmail } from "#app/email/sender.server.ts";
import { ownerEmailUpsert } from "#app/server/db/enqueue-email.server.ts";
import { ownerId } from "#app/server/owners.server.ts";
import { backOff } from "#app/server/queue.server.ts";
import { OWNER, outboxHarness } from "#tests/support/pool/emails.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

const MAX_ATTEMPTS = 10;

const LEASE = 2 * 60_000;

const log = freshDatabaseForEachTest();

const OWNER_ID = await ownerId(OWNER);

test("an email that fails twice is sent on the third attempt, after increasing delays", async () => {
  const outbox = outboxHarness({ account: { failures: 2 } });
  await outbox.join("ada@example.com");

  expect(await outbox.sweep()).toEqual({ sent: 0, failed: 1, dead: 0 });
  expect(await outbox.sweep()).toEqual({ sent: 0, failed: 0, dead: 0 });
  outbox.clock.now += backOff(emailRetries, 1);
  expect(await outbox.sweep()).toEqual({ sent: 0, failed: 1, dead: 0 });
  outbox.clock.now += backOff(emailRetries, 1);
  expect(await outbox.sweep()).toEqual({ sent: 0, failed: 0, dead: 0 });
  outbox.clock.now += backOff(emailRetries, 2) - backOff(emailRetries, 1);
  expect(await outbox.sweep()).toEqual({ sent: 1, failed: 0, dead: 0 });

  expect(outbox.accepted).toEqual(["ada@example.com"]);
  expect(await rows("email_outbox")).toMatchObject([{ attempts: 3, done_at: outbox.clock.now, reason: null }]);
});

test("records each email of a batch with its own result", async () => {
  const outbox = outboxHarness();
  for (const name of ["ada", "bob", "cyd"]) await outbox.join(`${name}@example.com`);
  outbox.deps.mailer = {
    keyLifetime: 0,
    async send({ to }) {
      if (to.startsWith("bob")) return { state: "unknown", reason: "timed-out", detail: `it's "slow"` };
      if (to.startsWith("cyd")) return { state: "permanent", reason: "rejected", detail: "no such mailbox" };
      return { state: "sent" };
    },
  };
  expect(await outbox.sweep()).toEqual({ sent: 1, failed: 1, dead: 1 });
  const { now } = outbox.clock;
  const stored = await rows<{ reason: string | null }>("email_outbox");
  expect(stored).toMatchObject([
    { entry_id: 1, attempts: 1, leased_until: 0, done_at: now, dead_at: null, reason: null },
    {
      entry_id: 2,
      attempts: 1,
      leased_until: 0,
      done_at: null,
      dead_at: null,
      next_attempt_at: now + backOff(emailRetries, 1),
    },
    { entry_id: 3, attempts: 1, leased_until: 0, done_at: null, dead_at: now },
  ]);
  expect(stored.map(({ reason }) => reason)).toEqual([null, "timed-out", "rejected"]);
});

test("logs the provider's error text without the recipient's address, however it is spelt", async () => {
  const outbox = outboxHarness();
  await outbox.join("lovelace@example.com");
  const detail = 'no "lovelace", Lovelace at example.com, lovelace%40example.com or lovelace@example.com';
  outbox.deps.mailer = {
    keyLifetime: 0,
    send: async () => ({ state: "permanent", reason: "rejected", detail }),
  };
  expect(await outbox.sweep()).toMatchObject({ dead: 1 });
  const failed = log.map((line) => JSON.parse(line)).filter(({ event }) => event === "email-failed");
  expect(failed).toMatchObject([{ error: 'no "[address]", [address], [address] or [address]' }]);
  expect(log.join()).not.toMatch(/lovelace/i);
});

describe("emails to the owner", () => {
  const queue = ({ db, clock }: ReturnType<typeof outboxHarness>, kind: "sign-in" | "alert", data: object) =>
    ownerEmailUpsert(db, kind, [{ id: crypto.randomUUID(), ownerId: OWNER_ID, data }], undefined, clock.now);
  const alert = { since: 0, dead: 1, reasons: [], blocked: null };

  test("are claimed by priority: sign-in emails before those to entries, notifications after", async () => {
    const outbox = outboxHarness({ ownerEmail: OWNER });
    await queue(outbox, "alert", alert);
    await outbox.join("ada@example.com");
    await queue(outbox, "sign-in", { expiresAt: outbox.clock.now + 60_000 });
    const claimNext = async () => {
      const options = { now: outbox.clock.now, limit: 1, perHour: 500, owners: [OWNER_ID] };
      return (await claimDue(outbox.db, options)).map(({ kind }) => kind);
    };
    expect([await claimNext(), await claimNext(), await claimNext(), await claimNext()]).toEqual([
      ["sign-in"],
      ["welcome"],
      ["alert"],
      [],
    ]);
  });

  test("wait with no attempt used up while no owner is configured", async () => {
    const without = outboxHarness();
    await queue(without, "alert", alert);
    expect(await without.sweep()).toEqual({ sent: 0, failed: 0, dead: 0 });
    expect(await rows("email_outbox")).toMatchObject([{ attempts: 0, done_at: null, dead_at: null }]);
    const { sweep, accepted } = outboxHarness({ ownerEmail: OWNER });
    await sweep();
    expect(accepted).toEqual([OWNER]);
  });

  test("a sign-in email is sent up to the moment its link expires, and not after that", async () => {
    const outbox = outboxHarness({ ownerEmail: OWNER });
    await queue(outbox, "sign-in", { expiresAt: outbox.clock.now + 1 });
    expect(await outbox.sweep()).toEqual({ sent: 1, failed: 0, dead: 0 });
    await queue(outbox, "sign-in", { expiresAt: outbox.clock.now + 60_000 });
    outbox.clock.now += 60_000;
    expect(await outbox.sweep()).toEqual({ sent: 0, failed: 0, dead: 1 });
    expect(await rows("email_outbox")).toMatchObject([
      { kind: "sign-in", done_at: null, dead_at: outbox.clock.now, reason: "link-expired" },
    ]);
    expect(await requeueDead(outbox.db, outbox.clock.now)).toBe(0);
    expect(await outbox.sweep()).toEqual({ sent: 0, failed: 0, dead: 0 });
    expect(outbox.accepted).toEqual([OWNER]);
  });
});

test("if a sender crashes, the email is due when its lease ends, not before; after as many crashes as attempts it is dead", async () => {
  const outbox = outboxHarness();
  await outbox.join("ada@example.com");
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    expect(await outbox.claim()).toHaveLength(1);
    outbox.clock.now += LEASE - 1;
    expect(await outbox.sweep()).toEqual({ sent: 0, failed: 0, dead: 0 });
    outbox.clock.now += 1;
  }
  expect(await outbox.sweep()).toEqual({ sent: 0, failed: 0, dead: 1 });
  expect(await rows("email_outbox")).toMatchObject([{ reason: "outcome-unknown" }]);
});

test("concurrent sweeps and welcome requests send every email exactly once", async () => {
  const outbox = outboxHarness();
  const emails = Array.from({ length: 60 }, (_, n) => `ada${n}@example.com`);
  for (const email of emails) await outbox.join(email);

  await Promise.all([
    outbox.sweep(),
    outbox.sweep(),
    ...emails.slice(0, 10).map((email) => sendEmail(outbox.deps, { email })),
  ]);

  expect(outbox.accepted.toSorted()).toEqual(emails.toSorted());
});

test("without a configured sender, emails wait with a reason and no attempt used up, and are sent once there is one", async () => {
  const without = outboxHarness({ sender: null });
  await without.join("ada@example.com");
  await without.sweep();
  expect(await rows("email_outbox")).toMatchObject([{ attempts: 0, dead_at: null, reason: "no-sender" }]);

  const { sweep, accepted } = outboxHarness();
  await sweep();
  expect(accepted).toEqual(["ada@example.com"]);
});

test("retry delays double from five minutes up to twelve hours", () => {
  const minutes = Array.from({ length: 10 }, (_, n) => backOff(emailRetries, n + 1) / 60_000);
  expect(minutes).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 720, 720]);
});
