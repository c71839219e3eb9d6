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

test("a browser that goes away before asking for the mail: the sweep sends it, and once", async () => {
  const { binding, accepted } = emailBinding();
  const office = outboxHarness({ binding });
  await office.join("ada@example.com");
  expect(await office.sweep()).toEqual({ sent: 1, failed: 0, dead: 0 });
  expect(await office.sweep()).toEqual({ sent: 0, failed: 0, dead: 0 });
  expect(accepted).toEqual(["ada@example.com"]);
});

test("a mailer that throws twice: the mail goes out the third time, each try later than the one before", async () => {
  const { binding, accepted } = emailBinding({ failures: 2 });
  const office = outboxHarness({ binding });
  await office.join("ada@example.com");

  expect(await office.sweep()).toEqual({ sent: 0, failed: 1, dead: 0 });
  expect(await office.sweep()).toEqual({ sent: 0, failed: 0, dead: 0 });
  office.clock.now += retryDelay(1);
  expect(await office.sweep()).toEqual({ sent: 0, failed: 1, dead: 0 });
  office.clock.now += retryDelay(1);
  expect(await office.sweep()).toEqual({ sent: 0, failed: 0, dead: 0 });
  office.clock.now += retryDelay(2) - retryDelay(1);
  expect(await office.sweep()).toEqual({ sent: 1, failed: 0, dead: 0 });

  expect(accepted).toEqual(["ada@example.com"]);
  expect(await rows("mail_outbox")).toMatchObject([{ attempts: 3, sent_at: office.clock.now, last_error: null }]);
});

test("a mailer that always throws: the mail is dead after the last try, with the reason, and the sign-up stands", async () => {
  const { binding } = emailBinding({ failures: Number.POSITIVE_INFINITY });
  const office = outboxHarness({ binding });
  await office.join("ada@example.com");
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    await office.sweep();
    office.clock.now += retryDelay(attempt);
  }

  expect(await rows("mail_outbox")).toMatchObject([
    {
      attempts: MAX_ATTEMPTS,
      sent_at: null,
      dead_at: expect.any(Number),
      last_error: expect.stringContaining("E_INTERNAL_SERVER_ERROR"),
    },
  ]);
  expect(await office.sweep()).toEqual({ sent: 0, failed: 0, dead: 0 });
  expect(await rows("waitlist_emails")).toMatchObject([{ email: "ada@example.com", status: "active" }]);
  expect((await rows<{ last_error: string }>("mail_outbox"))[0]?.last_error).not.toContain("ada@example.com");
});

test("a recipient whom the platform has suppressed is not tried again", async () => {
  const { binding } = emailBinding({ failures: 1, code: "E_RECIPIENT_SUPPRESSED" });
  const office = outboxHarness({ binding });
  await office.join("ada@example.com");
  expect(await office.sweep()).toEqual({ sent: 0, failed: 0, dead: 1 });
});

test("a sender that dies in the middle: the mail is taken up when its lease ends, not before", async () => {
  const { binding, accepted } = emailBinding();
  const office = outboxHarness({ binding });
  await office.join("ada@example.com");
  expect(await office.claim()).toHaveLength(1);

  office.clock.now += LEASE - 1;
  expect(await office.sweep()).toMatchObject({ sent: 0 });
  office.clock.now += 1;
  expect(await office.sweep()).toMatchObject({ sent: 1 });
  expect(accepted).toEqual(["ada@example.com"]);
});

test("a sender that dies in every try: the mail ends as dead, with a reason", async () => {
  const office = outboxHarness();
  await office.join("ada@example.com");
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    await office.claim();
    office.clock.now += LEASE;
  }
  expect(await office.sweep()).toEqual({ sent: 0, failed: 0, dead: 1 });
  expect(await rows("mail_outbox")).toMatchObject([{ last_error: expect.stringContaining("the last try") }]);
});

test("sweeps and the browser's call at once: every mail goes out, none twice", async () => {
  const { binding, accepted } = emailBinding();
  const office = outboxHarness({ binding });
  const emails = Array.from({ length: 60 }, (_, n) => `ada${n}@example.com`);
  for (const email of emails) await office.join(email);

  await Promise.all([
    office.sweep(),
    office.sweep(),
    ...emails.slice(0, 10).map((email) => sendWelcome(office.deps, email)),
  ]);

  expect(accepted.toSorted()).toEqual(emails.toSorted());
});

test("without a sender mail waits untried, with the reason, and goes out once there is one", async () => {
  const without = outboxHarness({ sender: null });
  await without.join("ada@example.com");
  await without.sweep();
  expect(await rows("mail_outbox")).toMatchObject([{ attempts: 0, dead_at: null, last_error: "MAIL_FROM is not set" }]);

  const { binding, accepted } = emailBinding();
  await outboxHarness({ binding }).sweep();
  expect(accepted).toEqual(["ada@example.com"]);
});

test("erasing an entry takes its mail with it", async () => {
  const office = outboxHarness();
  await office.join("ada@example.com");
  await env.DB.exec("DELETE FROM waitlist_emails");
  expect(await rows("mail_outbox")).toEqual([]);
});

test("the delays double from five minutes and end at twelve hours", () => {
  const minutes = Array.from({ length: 10 }, (_, n) => retryDelay(n + 1) / 60_000);
  expect(minutes).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 720, 720]);
});

test("no address is logged, whatever happens to the mail", async () => {
  for (const failures of [0, 1]) {
    const office = outboxHarness({ binding: emailBinding({ failures }).binding });
    await office.join(`ada${failures}@example.com`);
    await office.sweep();
  }
  expect(log.length).toBeGreaterThan(3);
  expect(log.filter((line) => line.includes("@"))).toEqual([]);
});
