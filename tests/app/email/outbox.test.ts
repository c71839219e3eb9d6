import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { sendWelcome } from "#app/email/deliver.server.ts";
import { LEASE } from "#app/email/outbox.server.ts";
import { MAX_ATTEMPTS, retryDelay } from "#app/email/retry-schedule.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { emailBinding } from "#tests/support/pool/email.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { outboxHarness } from "#tests/support/pool/outbox-harness.ts";

freshDatabaseForEachTest();
const log = captureLog();

test("the sweep sends an email that the browser never requested, once", async () => {
  const { binding, accepted } = emailBinding();
  const outbox = outboxHarness({ binding });
  await outbox.join("ada@example.com");
  expect(await outbox.sweep()).toEqual({ sent: 1, failed: 0, dead: 0 });
  expect(await outbox.sweep()).toEqual({ sent: 0, failed: 0, dead: 0 });
  expect(accepted).toEqual(["ada@example.com"]);
});

test("an email that fails twice is sent on the third attempt, after increasing delays", async () => {
  const { binding, accepted } = emailBinding({ failures: 2 });
  const outbox = outboxHarness({ binding });
  await outbox.join("ada@example.com");

  expect(await outbox.sweep()).toEqual({ sent: 0, failed: 1, dead: 0 });
  expect(await outbox.sweep()).toEqual({ sent: 0, failed: 0, dead: 0 });
  outbox.clock.now += retryDelay(1);
  expect(await outbox.sweep()).toEqual({ sent: 0, failed: 1, dead: 0 });
  outbox.clock.now += retryDelay(1);
  expect(await outbox.sweep()).toEqual({ sent: 0, failed: 0, dead: 0 });
  outbox.clock.now += retryDelay(2) - retryDelay(1);
  expect(await outbox.sweep()).toEqual({ sent: 1, failed: 0, dead: 0 });

  expect(accepted).toEqual(["ada@example.com"]);
  expect(await rows("mail_outbox")).toMatchObject([{ attempts: 3, sent_at: outbox.clock.now, last_error: null }]);
});

test("an email that always fails is dead after the last attempt, with the reason; the sign-up remains", async () => {
  const { binding } = emailBinding({ failures: Number.POSITIVE_INFINITY });
  const outbox = outboxHarness({ binding });
  await outbox.join("ada@example.com");
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    await outbox.sweep();
    outbox.clock.now += retryDelay(attempt);
  }

  expect(await rows("mail_outbox")).toMatchObject([
    {
      attempts: MAX_ATTEMPTS,
      sent_at: null,
      dead_at: expect.any(Number),
      last_error: expect.stringContaining("E_INTERNAL_SERVER_ERROR"),
    },
  ]);
  expect(await outbox.sweep()).toEqual({ sent: 0, failed: 0, dead: 0 });
  expect(await rows("waitlist_emails")).toMatchObject([{ email: "ada@example.com", status: "active" }]);
  expect((await rows<{ last_error: string }>("mail_outbox"))[0]?.last_error).not.toContain("ada@example.com");
});

test("does not retry a suppressed recipient", async () => {
  const { binding } = emailBinding({ failures: 1, code: "E_RECIPIENT_SUPPRESSED" });
  const outbox = outboxHarness({ binding });
  await outbox.join("ada@example.com");
  expect(await outbox.sweep()).toEqual({ sent: 0, failed: 0, dead: 1 });
});

test("if a sender crashes, the email is sent when its lease ends, not before", async () => {
  const { binding, accepted } = emailBinding();
  const outbox = outboxHarness({ binding });
  await outbox.join("ada@example.com");
  expect(await outbox.claim()).toHaveLength(1);

  outbox.clock.now += LEASE - 1;
  expect(await outbox.sweep()).toMatchObject({ sent: 0 });
  outbox.clock.now += 1;
  expect(await outbox.sweep()).toMatchObject({ sent: 1 });
  expect(accepted).toEqual(["ada@example.com"]);
});

test("if senders crash in every attempt, the email is dead, with a reason", async () => {
  const outbox = outboxHarness();
  await outbox.join("ada@example.com");
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    await outbox.claim();
    outbox.clock.now += LEASE;
  }
  expect(await outbox.sweep()).toEqual({ sent: 0, failed: 0, dead: 1 });
  expect(await rows("mail_outbox")).toMatchObject([{ last_error: expect.stringContaining("the last try") }]);
});

test("concurrent sweeps and welcome requests send every email exactly once", async () => {
  const { binding, accepted } = emailBinding();
  const outbox = outboxHarness({ binding });
  const emails = Array.from({ length: 60 }, (_, n) => `ada${n}@example.com`);
  for (const email of emails) await outbox.join(email);

  await Promise.all([
    outbox.sweep(),
    outbox.sweep(),
    ...emails.slice(0, 10).map((email) => sendWelcome(outbox.deps, email)),
  ]);

  expect(accepted.toSorted()).toEqual(emails.toSorted());
});

test("without a configured sender, emails wait with a reason and no attempt used up, and are sent once there is one", async () => {
  const without = outboxHarness({ sender: null });
  await without.join("ada@example.com");
  await without.sweep();
  expect(await rows("mail_outbox")).toMatchObject([{ attempts: 0, dead_at: null, last_error: "MAIL_FROM is not set" }]);

  const { binding, accepted } = emailBinding();
  await outboxHarness({ binding }).sweep();
  expect(accepted).toEqual(["ada@example.com"]);
});

test("deleting an entry deletes its emails", async () => {
  const outbox = outboxHarness();
  await outbox.join("ada@example.com");
  await env.DB.exec("DELETE FROM waitlist_emails");
  expect(await rows("mail_outbox")).toEqual([]);
});

test("retry delays double from five minutes up to twelve hours", () => {
  const minutes = Array.from({ length: 10 }, (_, n) => retryDelay(n + 1) / 60_000);
  expect(minutes).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 720, 720]);
});

test("logs no address, whether sending succeeds or fails", async () => {
  for (const failures of [0, 1]) {
    const outbox = outboxHarness({ binding: emailBinding({ failures }).binding });
    await outbox.join(`ada${failures}@example.com`);
    await outbox.sweep();
  }
  expect(log.length).toBeGreaterThan(3);
  expect(log.filter((line) => line.includes("@"))).toEqual([]);
});
