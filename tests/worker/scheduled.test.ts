import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { describeError } from "#app/server/log.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { emailBinding } from "#tests/support/pool/email.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { meteredD1 } from "#tests/support/pool/metered-d1.ts";
import { countingMailer, scheduledApp } from "#tests/support/pool/scheduled-app.ts";
import { runScheduled } from "#worker/scheduled.ts";

freshStorageForEachTest();
captureLog();

const OWNER = "owner@waitlist-site.example";

function join(email: string, now: number) {
  return addEntry(openDb(env.DB), { email, source: "landing_page", columns: {}, now });
}

test("sends due emails", async () => {
  const { binding, accepted } = emailBinding();
  await join("ada@example.com", Date.now());
  await runScheduled(scheduledApp(Date.now(), { binding }));
  expect(accepted).toEqual(["ada@example.com"]);
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
    await addEntry(openDb(env.DB), entry);
    await env.DB.prepare("UPDATE email_outbox SET sent_at = created_at").run();
  });

  test("are reminded once, in the first run of an hour after three days", async () => {
    await run(23, 9, 0);
    for (const minute of [35, 55]) await run(23, 9, minute);
    expect(await kinds()).toEqual(["confirm"]);
    for (const minute of [0, 5]) await run(23, 10, minute);
    await run(24, 10, 0);
    expect(await rows("email_outbox")).toMatchObject([{}, { kind: "confirm-reminder", sent_at: expect.any(Number) }]);
    expect(await kinds()).toHaveLength(2);
  });

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

describe("if a step fails, the others run", () => {
  const steps = {
    sweep: /^update "email_outbox" set "attempts"/,
    notifications: /from "blocked_attempts"/,
    erasure: /^delete from "waitlist_emails"/,
  };

  /** Runs the cron job while some of its steps fail, and returns what the others did. */
  async function runWithFailing(...failing: (keyof typeof steps)[]) {
    const now = Date.UTC(2026, 10, 21, 12);
    await join("old@example.com", Date.UTC(2024, 10, 20));
    await join("ada@example.com", Date.UTC(2026, 10, 20, 12));
    await env.DB.prepare("UPDATE email_outbox SET sent_at = created_at WHERE entry_id = 1").run();
    const { d1 } = meteredD1((sql) => {
      for (const step of failing) if (steps[step].test(sql)) throw new Error(`D1_ERROR: ${step} failed`);
    });
    const { binding, accepted } = emailBinding();
    const error = await runScheduled(scheduledApp(now, { binding, vars: { OWNER_EMAIL: OWNER }, d1 })).then(
      () => null,
      (thrown: unknown) => describeError(thrown),
    );
    const entries = (await rows<{ email: string }>("waitlist_emails")).map(({ email }) => email);
    const kinds = (await rows<{ kind: string }>("email_outbox")).map(({ kind }) => kind);
    return { error, accepted: accepted.toSorted(), entries, hasDigest: kinds.includes("digest") };
  }

  const everyEmail = ["ada@example.com"];
  const everyEntry = ["old@example.com", "ada@example.com"];
  const unexpired = ["ada@example.com"];

  test("no step", async () => {
    expect(await runWithFailing()).toEqual({
      error: null,
      accepted: everyEmail,
      entries: unexpired,
      hasDigest: true,
    });
  });

  test("notifications", async () => {
    const { error, accepted, entries } = await runWithFailing("notifications");
    expect(error).toContain("notifications failed");
    expect(accepted).toEqual(everyEmail);
    expect(entries).toEqual(unexpired);
  });

  test("the sweep", async () => {
    const { error, ...done } = await runWithFailing("sweep");
    expect(error).toContain("sweep failed");
    expect(done).toEqual({ accepted: [], entries: unexpired, hasDigest: true });
  });

  test("the erasure", async () => {
    const { error, ...done } = await runWithFailing("erasure");
    expect(error).toContain("erasure failed");
    expect(done).toEqual({ accepted: everyEmail, entries: everyEntry, hasDigest: true });
  });

  test("two steps: the first failure is thrown", async () => {
    const { error, ...done } = await runWithFailing("sweep", "erasure");
    expect(error).toContain("sweep failed");
    expect(done).toEqual({ accepted: [], entries: everyEntry, hasDigest: true });
  });
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
  const insert = env.DB.prepare("INSERT INTO provider_events VALUES (?, ?)");
  const noon = Date.UTC(2026, 10, 21, 12);
  await insert.bind("old", noon - 7 * 24 * 3_600_000).run();
  await insert.bind("new", noon - 24 * 3_600_000).run();
  const suppress = env.DB.prepare("INSERT INTO suppressions VALUES (?, 'hard-bounce', ?, 0)");
  for (const [hash, until] of [
    ["ended", noon],
    ["current", noon + 1],
  ] as const)
    await suppress.bind(hash, until).run();
  await runScheduled(scheduledApp(noon + 5 * 60_000));
  expect(await rows("provider_events")).toHaveLength(2);
  await runScheduled(scheduledApp(noon));
  expect(await rows("provider_events")).toMatchObject([{ event_id: "new" }]);
  expect(await rows("suppressions")).toMatchObject([{ address_hash: "current" }]);
});
