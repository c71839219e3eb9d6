import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { notificationHarness } from "#tests/features/notifications/pool/notifications.ts";
import { execute, freshDatabaseForEachTest, needs, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const TODAY = "2026-11-21";

/** The outbox rows of emails to the owner. */
async function ownerEmails() {
  const all = await rows<{ id: string; kind: string; entry_id: number | null; done_at: number | null }>("email_outbox");
  return all.filter(({ entry_id }) => entry_id === null);
}

/** A harness at 03:00, when no digest is due, with waiting emails. */
async function nightHarness(emails = 0) {
  const harness = notificationHarness();
  harness.setTime(`${TODAY}T03:00:00Z`);
  for (let n = 0; n < emails; n += 1) await harness.join(`ada${n}@example.com`);
  return harness;
}

describe("when emails become dead", () => {
  test("the owner gets one alert with the number, reasons and settings, without addresses", async () => {
    const harness = await nightHarness(3);
    await harness.markDead(2);
    await harness.markDead(1, "wrong-key");
    harness.clock.now += 5 * MINUTE;
    await Promise.all([harness.runNotifications(), harness.runNotifications()]);
    expect(harness.subjects()).toEqual(["emails are failing"]);
    expect(harness.lastText()).toContain("3 emails have failed.");
    expect(harness.lastText()).toContain(
      "This address does not accept email (2); The email provider refused the API key (1)",
    );
    expect(harness.lastText()).toContain("Advanced: see RESEND_API_KEY in docs/configuration.md.");
    expect(harness.lastText()).not.toContain("@");
    await passHours(harness, 3);
    expect(harness.subjects()).toHaveLength(1);
  });

  test("emails that become dead within the hour are reported when it is over", async () => {
    const harness = await nightHarness(1);
    await harness.markDead(1);
    harness.clock.now += 5 * MINUTE;
    await harness.runNotifications();
    for (const name of ["bob", "cyd"]) await harness.join(`${name}@example.com`);
    await harness.markDead(2);
    harness.clock.now += HOUR - MINUTE;
    await harness.runNotifications();
    expect(harness.subjects()).toHaveLength(1);
    harness.clock.now += MINUTE;
    await harness.runNotifications();
    expect(harness.subjects()).toHaveLength(2);
    expect(harness.lastText()).toContain("2 emails have failed.");
  });

  /** Lets hours pass, with a run of the cron trigger every three. */
  async function passHours(harness: Awaited<ReturnType<typeof nightHarness>>, hours: number) {
    for (let passed = 0; passed < hours; passed += 3) {
      harness.clock.now += 3 * HOUR;
      await harness.runNotifications();
    }
  }

  test("a later alert covers the emails of an alert that could not be sent", async () => {
    const harness = await nightHarness(1);
    await harness.markDead(1);
    harness.state.failing = true;
    await passHours(harness, 3);
    const [first] = await ownerEmails();
    expect(first).toMatchObject({ kind: "alert", done_at: null });
    // Long enough for an alert to use up its attempts and the next to be enqueued.
    await passHours(harness, 69);
    const [alert, digest] = await ownerEmails();
    expect([alert, digest]).toMatchObject([{ kind: "alert", done_at: null }, { kind: "digest" }]);
    expect(alert?.id).not.toBe(first?.id);
    harness.state.failing = false;
    await harness.join("bob@example.com");
    await harness.markDead(1);
    await passHours(harness, 24);
    const reported = harness.texts().flatMap((text) => /(\d+) emails? ha/.exec(text)?.[1] ?? []);
    expect(reported.reduce((sum, emails) => sum + Number(emails), 0)).toBe(2);
  });

  test("a dead email to the owner sends no alert", async () => {
    const harness = await nightHarness(1);
    await harness.runNotifications();
    harness.state.failing = true;
    await passHours(harness, 30);
    const [digest] = await ownerEmails();
    expect(digest).toMatchObject({ kind: "digest", done_at: null });
    await env.DB.prepare("UPDATE email_outbox SET dead_at = ? WHERE kind = 'digest'").bind(harness.clock.now).run();
    harness.state.failing = false;
    await passHours(harness, 3);
    expect(harness.subjects()).toEqual([]);
  });
});

describe("when far more attempts than usual are blocked", () => {
  test("at least a hundred in a week without others are reported", async () => {
    const harness = await nightHarness();
    for (const [count, alerts] of [
      [99, 0],
      [100, 1],
    ] as const) {
      await harness.setBlocked(TODAY, count);
      await harness.runNotifications();
      expect(harness.subjects()).toHaveLength(alerts);
    }
  });

  test("the owner gets an alert, and another when the number has doubled, at most hourly", async () => {
    const harness = await nightHarness();
    for (let day = 14; day < 21; day += 1) await harness.setBlocked(`2026-11-${day}`, 30);
    const subjectsAfter = async (count: number, later = 0) => {
      harness.clock.now += later;
      await harness.setBlocked(TODAY, count);
      await harness.runNotifications();
      return harness.subjects().length;
    };
    expect(await subjectsAfter(149)).toBe(0);
    expect(await subjectsAfter(150)).toBe(1);
    expect(harness.subjects()).toEqual(["many attempts were blocked"]);
    expect(harness.lastText()).toContain(
      "Attempts blocked so far on 2026-11-21 (UTC): 150. The daily average of the week before was 30.",
    );
    expect(await subjectsAfter(500)).toBe(1);
    expect(await subjectsAfter(299, HOUR)).toBe(1);
    expect(await subjectsAfter(300)).toBe(2);
    expect(await subjectsAfter(599, 2 * HOUR)).toBe(2);
  });
});

describe("milestones", () => {
  needs("referrals");

  const reach = (friends: number, at: number, rewardedAt: number | null = null) =>
    env.DB.exec(`INSERT INTO reached_milestones VALUES (1, ${friends}, ${at}, ${rewardedAt})`);

  test("that people reached are reported once, with their number and a link, and without addresses", async () => {
    const harness = await nightHarness(1);
    await reach(3, harness.clock.now);
    await reach(10, harness.clock.now);
    harness.clock.now += 5 * MINUTE;
    await Promise.all([harness.runNotifications(), harness.runNotifications()]);
    expect(harness.subjects()).toEqual(["rewards to give"]);
    expect(harness.lastText()).toContain("2 milestones were reached");
    expect(harness.lastText()).toContain("/owner/referrals");
    expect(harness.lastText()).not.toContain("@");
    harness.clock.now += HOUR;
    await harness.runNotifications();
    expect(harness.subjects()).toHaveLength(1);
    await reach(20, harness.clock.now);
    harness.clock.now += HOUR;
    await harness.runNotifications();
    expect(harness.subjects()).toHaveLength(2);
    expect(harness.lastText()).toContain("1 milestone was reached");
  });
});

describe("letters", () => {
  /** Inserts a letter, and runs five minutes later. */
  async function afterInserting(columns: string, values: string, pause?: string) {
    const harness = await nightHarness();
    if (pause !== undefined) {
      await execute(
        "INSERT INTO email_pauses (scope, letter_id, reason, created_at) VALUES ('letter', 1, ?, ?)",
        pause,
        1,
      );
    }
    await env.DB.exec(
      `INSERT INTO letters (key, subject, preview_line, body, audience, created_at, updated_at, ${columns}) VALUES ('k', 'We open', '', '', '{}', 1, 1, ${values})`,
    );
    harness.clock.now += 5 * MINUTE;
    await harness.runNotifications();
    return harness;
  }

  test.each([
    ["that paused because of complaints", "state", "'sending'", "complaints"],
    ["that paused because of bounces", "state", "'sending'", "bounces"],
    ["that paused because of its settings", "state", "'sending'", "wrong-key"],
    ["that paused because of a quota", "state", "'sending'", "daily-quota"],
    ["that did not start, since its audience is another one", "state", "'scheduled'", "audience-changed"],
    ["that missed its schedule", "state, scheduled_for", "'draft', 1"],
  ])("%s is reported once", async (_, columns, values, pause?: string) => {
    const harness = await afterInserting(columns, values, pause);
    expect(harness.subjects()).toEqual(["a letter needs your attention"]);
    expect(harness.lastText()).toContain("“We open”");
    expect(harness.lastText()).toContain("/owner/letters/1");
    harness.clock.now += 3 * HOUR;
    await harness.runNotifications();
    expect(harness.subjects()).toHaveLength(1);
  });

  test("with unknown outcomes are reported, but not those of the series", async () => {
    const harness = await afterInserting("state, started_at, step_id", "'sending', 1, 7");
    await env.DB.exec(`INSERT INTO letter_batches (letter_id, number, dead_at) VALUES (1, 0, ${harness.clock.now})`);
    harness.clock.now += 5 * MINUTE;
    await harness.runNotifications();
    expect(harness.subjects()).toEqual([]);
    await env.DB.exec("UPDATE letters SET step_id = NULL");
    harness.clock.now += 5 * MINUTE;
    await harness.runNotifications();
    expect(harness.subjects()).toEqual(["a letter needs your attention"]);
  });

  test("of the series are reported when they are paused, with the page of the follow-up", async () => {
    const harness = await afterInserting("state, step_id", "'sending', 7", "bounces");
    expect(harness.subjects()).toEqual(["a follow-up email needs your attention"]);
    expect(harness.lastText()).toContain("/owner/series/7");
    expect(harness.lastText()).not.toContain("owner/letters");
  });

  test.each(["owner", "first-recipients"])("that pause because of %s are not", async (reason) => {
    const harness = await afterInserting("state", "'sending'", reason);
    expect(harness.subjects()).toEqual([]);
  });
});
