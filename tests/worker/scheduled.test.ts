import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { describeError } from "#app/server/log.ts";
import type { ProviderMailer } from "#app/server/mailer.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation/confirmation.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { countingMailer, emailBinding, OWNER, scheduledApp } from "#tests/support/pool/emails.ts";
import { db, execute, freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

freshStorageForEachTest();

function join(email: string, now: number, verified = false) {
  return addEntry(db, { email, source: "landing_page", columns: {}, now, verified });
}

test("an email that waits for another attempt takes no one's place within the send limit", async () => {
  const vars = { MAIL_PER_HOUR: 2 };
  const noon = Date.UTC(2026, 10, 21, 12);
  const { mailer, counted } = countingMailer((nth) => nth > 2);
  const run = (minute: number) => runScheduled({ ...scheduledApp(noon + minute * 60_000, { vars }), mailer });
  for (const name of ["ada", "bob"]) await join(`${name}@example.com`, noon, true);
  await run(0);
  for (const name of ["grace", "heidi"]) await join(`${name}@example.com`, noon, true);
  // Two minutes before the other attempts.
  await run(3);
  expect([...counted.accepted.keys()]).toEqual(["grace@example.com", "heidi@example.com"]);
});

test("erases only entries older than 24 months, as the privacy page says, with their emails", async () => {
  await join("old@example.com", Date.UTC(2025, 10, 20, 23, 59));
  await join("young@example.com", Date.UTC(2025, 10, 21, 0, 1));
  await runScheduled(scheduledApp(Date.UTC(2027, 10, 21)));
  expect(await rows("waitlist_emails")).toMatchObject([{ email: "young@example.com" }]);
  expect(await rows("email_outbox")).toHaveLength(1);
  expect(await rows("erased_totals")).toEqual([{ day: "2027-11-21", count: 1 }]);
});

describe("unconfirmed entries", () => {
  const joined = Date.UTC(2026, 10, 20, 9, 30);
  const run = (day: number, hour: number, minute: number) =>
    runScheduled(scheduledApp(Date.UTC(2026, 10, day, hour, minute)));
  const kinds = async () => (await rows("email_outbox")).map(({ kind }) => kind);

  beforeEach(async () => {
    const entry = { email: "ada@example.com", source: "landing_page", columns: {}, now: joined, mustConfirm: true };
    await addEntry(db, entry);
    await env.DB.prepare("UPDATE email_outbox SET done_at = created_at").run();
  });

  test("are reminded once, in the first run of an hour after three days", async () => {
    await run(23, 9, 0);
    for (const minute of [35, 55]) await run(23, 9, minute);
    expect(await kinds()).toEqual(["confirm"]);
    for (const minute of [0, 5]) await run(23, 10, minute);
    await run(24, 10, 0);
    expect(await rows("email_outbox")).toMatchObject([{}, { kind: "confirm-reminder", done_at: expect.any(Number) }]);
    expect(await kinds()).toHaveLength(2);
  });

  test.each(["while it is being attempted", "after the attempt failed"])(
    "get no second attempt at a reminder once their person has confirmed %s",
    async (when) => {
      const attempts: string[] = [];
      const confirm = () => confirmEntry(db, 1, Date.UTC(2026, 10, 23, 10, 6));
      const mailer: ProviderMailer = {
        ...countingMailer().mailer,
        async send({ text }) {
          attempts.push(text.includes("/confirm/") ? "reminder" : "welcome");
          if (attempts.length > 1) return { state: "sent" };
          if (when === "while it is being attempted") await confirm();
          return { state: "unknown", reason: "unreachable", detail: "" };
        },
      };
      for (const minute of [0, 5, 15, 59]) {
        await runScheduled({ ...scheduledApp(Date.UTC(2026, 10, 23, 10, minute)), mailer });
        if (minute === 5 && when === "after the attempt failed") await confirm();
      }
      expect(attempts).toEqual(["reminder", "welcome"]);
    },
  );

  test("are erased in the first run after four o'clock, once 30 days have passed", async () => {
    await run(20 + 30, 4, 0);
    for (const [hour, minute] of [
      [10, 0],
      [27, 55],
      [28, 5],
    ] as const)
      await run(20 + 30, hour, minute);
    expect(await rows("waitlist_emails")).toHaveLength(1);
    await run(20 + 31, 4, 0);
    expect(await rows("waitlist_emails")).toEqual([]);
    expect(await rows("erased_totals")).toEqual([{ day: "2026-12-21", count: 1 }]);
  });
});

test("sends the owner the daily digest, in the owner's time zone, with the emails of the next run", async () => {
  const { binding, accepted } = emailBinding();
  const vars = { OWNER_EMAIL: OWNER, OWNER_TIME_ZONE: "Asia/Tokyo" };
  await join("ada@example.com", Date.UTC(2026, 10, 20, 14, 59));
  // 7 a.m. in Tokyo.
  for (const minute of [-5, 0, 1]) {
    expect(accepted).not.toContain(OWNER);
    await runScheduled(scheduledApp(Date.UTC(2026, 10, 20, 22, minute), { binding, vars }));
  }
  expect(accepted).toEqual(["ada@example.com", OWNER]);
});

test("a run with nothing to do executes six statements at most", async () => {
  const { d1, executed } = meteredD1();
  await runScheduled(scheduledApp(Date.UTC(2026, 10, 21, 12, 7), { d1 }));
  expect(executed.length).toBeLessThanOrEqual(6);
});

const sweep = /^WITH used/;
const notifications = /from "blocked_attempts"/;
const erasure = /^delete from "waitlist_emails"/;

test.each<[string, RegExp[], object]>([
  ["none", [], { failed: null, sent: 1, erased: true, hasDigest: true }],
  ["the sweep", [sweep], { failed: "statement 1 failed", sent: 0, erased: true, hasDigest: true }],
  ["an alert", [notifications], { failed: "statement 1 failed", sent: 1, erased: true, hasDigest: true }],
  ["the erasure", [erasure], { failed: "statement 1 failed", sent: 1, erased: false, hasDigest: true }],
  ["two", [erasure, sweep], { failed: "statement 2 failed", sent: 0, erased: false, hasDigest: true }],
])("steps that fail keep no other from running, and the first failure is thrown: %s", async (_, failing, expected) => {
  await join("old@example.com", Date.UTC(2024, 10, 20));
  await join("ada@example.com", Date.UTC(2026, 10, 20, 12));
  await env.DB.exec("UPDATE email_outbox SET done_at = created_at WHERE entry_id = 1");
  const { d1 } = meteredD1((sql) => {
    for (const [n, step] of failing.entries())
      if (step.test(sql)) throw new Error(`D1_ERROR: statement ${n + 1} failed`);
  });
  const { binding, accepted } = emailBinding();
  const app = scheduledApp(Date.UTC(2026, 10, 21, 12), { binding, vars: { OWNER_EMAIL: OWNER }, d1 });
  const failed = await runScheduled(app).then(
    () => null,
    (error: unknown) => /statement \d failed/.exec(describeError(error))?.[0],
  );
  const erased = (await rows("waitlist_emails")).length === 1;
  const hasDigest = (await rows("email_outbox")).some(({ kind }) => kind === "digest");
  expect({ failed, sent: accepted.length, erased, hasDigest }).toEqual(expected);
});

test("the first run of an hour does its work even if sending emails takes until the next minute", async () => {
  const noon = Date.UTC(2026, 10, 21, 12);
  await join("ada@example.com", noon);
  await env.DB.prepare("INSERT INTO provider_events VALUES ('old', 0)").run();
  let now = noon;
  const { mailer } = countingMailer(() => {
    now += 61_000;
    return true;
  });
  await runScheduled({ ...scheduledApp(0), mailer, now: () => now });
  expect(await rows("provider_events")).toEqual([]);
});

test("the first run of each hour forgets webhook events after 7 days, and suppressions that have ended", async () => {
  const noon = Date.UTC(2026, 10, 21, 12);
  const day = 24 * 3_600_000;
  await env.DB.exec(`INSERT INTO provider_events VALUES ('old', ${noon - 7 * day}), ('new', ${noon - 7 * day + 1})`);
  for (const [hash, until] of Object.entries({ ended: noon, current: noon + 1, "for-good": null }))
    await execute("INSERT INTO suppressions VALUES (?, 'hard-bounce', ?, 0)", hash, until);
  await runScheduled(scheduledApp(noon + 5 * 60_000));
  expect(await rows("provider_events")).toHaveLength(2);
  await runScheduled(scheduledApp(noon));
  expect(await rows("provider_events")).toMatchObject([{ event_id: "new" }]);
  expect(await rows("suppressions")).toMatchObject([{ address_hash: "current" }, { address_hash: "for-good" }]);
});
