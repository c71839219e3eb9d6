import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { readAlertStats } from "#app/owner/notifications/notification-stats.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { explain } from "#tests/support/pool/explain.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { meteredD1 } from "#tests/support/pool/metered-d1.ts";
import { needs } from "#tests/support/pool/needs.ts";
import { notificationHarness } from "#tests/support/pool/notification-harness.ts";

freshDatabaseForEachTest();
captureLog();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const TODAY = "2026-11-21";

/** The outbox rows of emails to the owner. */
async function ownerEmails() {
  const all = await rows<{ id: string; kind: string; entry_id: number | null; sent_at: number | null }>("email_outbox");
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
  test("the owner gets one alert with the number and reasons, without addresses", async () => {
    const harness = await nightHarness(3);
    await harness.markDead(2);
    await harness.markDead(1, "rejected");
    harness.clock.now += 5 * MINUTE;
    await Promise.all([harness.runNotifications(), harness.runNotifications()]);
    expect(harness.subjects()).toEqual(["emails are failing"]);
    expect(harness.lastText()).toContain("3 emails have failed.");
    expect(harness.lastText()).toContain(
      "This address does not accept email (2); The email provider rejected this email (1)",
    );
    expect(harness.lastText()).not.toContain("@");
    for (let hour = 0; hour < 3; hour += 1) {
      harness.clock.now += HOUR;
      await harness.runNotifications();
    }
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
    expect(first).toMatchObject({ kind: "alert", sent_at: null });
    // Long enough for an alert to use up its attempts and the next to be enqueued.
    await passHours(harness, 69);
    const [alert, digest] = await ownerEmails();
    expect([alert, digest]).toMatchObject([{ kind: "alert", sent_at: null }, { kind: "digest" }]);
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
    expect(digest).toMatchObject({ kind: "digest", sent_at: null });
    await env.DB.prepare("UPDATE email_outbox SET dead_at = ? WHERE kind = 'digest'").bind(harness.clock.now).run();
    harness.state.failing = false;
    await passHours(harness, 3);
    expect(harness.subjects()).toEqual([]);
  });
});

describe("when far more attempts than usual are blocked", () => {
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

  test("a few attempts, or many that are usual, send no alert", async () => {
    const harness = await nightHarness();
    await harness.setBlocked(TODAY, 99);
    await harness.runNotifications();
    expect(harness.subjects()).toEqual([]);
    for (let day = 14; day < 21; day += 1) await harness.setBlocked(`2026-11-${day}`, 1_000);
    await harness.setBlocked(TODAY, 4_999);
    await harness.runNotifications();
    expect(harness.subjects()).toEqual([]);
  });
});

test("counting dead emails reads only the new ones, by their index", async () => {
  const meter = meteredD1();
  await readAlertStats(openDb(meter.d1), { starts: [1, 2], until: 3, now: 4 });
  const [query, ...others] = meter.matching(/email_outbox/);
  expect(others).toEqual([]);
  if (query === undefined) throw new Error("no query");
  expect((await explain(query)).slice(0, 2)).toEqual([
    "SCAN json_each VIRTUAL TABLE INDEX 1:",
    "SEARCH email_outbox USING INDEX email_outbox_dead_at (dead_at>? AND dead_at<?)",
  ]);
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
    for (let hour = 0; hour < 3; hour += 1) {
      harness.clock.now += HOUR;
      await harness.runNotifications();
    }
    expect(harness.subjects()).toHaveLength(1);
    await reach(20, harness.clock.now);
    harness.clock.now += HOUR;
    await harness.runNotifications();
    expect(harness.subjects()).toHaveLength(2);
    expect(harness.lastText()).toContain("1 milestone was reached");
  });

  test("whose reward was given meanwhile are not", async () => {
    const harness = await nightHarness(1);
    await reach(3, harness.clock.now, harness.clock.now + MINUTE);
    harness.clock.now += 5 * MINUTE;
    await harness.runNotifications();
    expect(harness.subjects()).toEqual([]);
  });

  test("are counted up to a hundred, and read no more rows than that", async () => {
    const harness = await nightHarness(1);
    for (let friends = 1; friends <= 130; friends += 1) await reach(friends, harness.clock.now);
    harness.clock.now += 5 * MINUTE;
    await harness.runNotifications();
    expect(harness.lastText()).toContain("At least 100 milestones were reached");
    const meter = meteredD1();
    await readAlertStats(openDb(meter.d1), { starts: [0], until: harness.clock.now, now: harness.clock.now });
    const [query] = meter.matching(/reached_milestones/);
    if (query === undefined) throw new Error("no query");
    const plan = await explain(query);
    expect(plan.filter((step) => step.includes("reached_milestones"))).toEqual(["SCAN reached_milestones"]);
    expect(plan.join()).not.toContain("TEMP B-TREE FOR ORDER BY");
  });
});

describe("letters", () => {
  const insert = (values: string) =>
    env.DB.exec(
      `INSERT INTO letters (key, subject, preview_line, body, audience, created_at, updated_at, state, ${values}`,
    );

  test.each(["complaints", "bounces", "configuration", "quota"])(
    "that paused themselves because of %s are reported once",
    async (reason) => {
      const harness = await nightHarness();
      const { now } = harness.clock;
      await insert(
        `pause_reason, paused_at) VALUES ('k', 'We open', '', '', '{}', 1, 1, 'paused', '${reason}', ${now})`,
      );
      harness.clock.now += 5 * MINUTE;
      await harness.runNotifications();
      expect(harness.subjects()).toEqual(["a letter needs your attention"]);
      expect(harness.lastText()).toContain("“We open”");
      expect(harness.lastText()).toContain("/owner/letters/1");
      harness.clock.now += 3 * HOUR;
      await harness.runNotifications();
      expect(harness.subjects()).toHaveLength(1);
    },
  );

  test("of the series are reported when they are paused, with the page of the follow-up", async () => {
    const harness = await nightHarness();
    const { now } = harness.clock;
    await insert(`step_id, started_at) VALUES ('a', 'Unsure', '', '', '{}', 1, 1, 'sending', 7, 1)`);
    await env.DB.exec(
      `INSERT INTO letter_batches (letter_id, number, outcome, done_at) VALUES (1, 0, 'unknown', ${now})`,
    );
    harness.clock.now += 5 * MINUTE;
    await harness.runNotifications();
    expect(harness.subjects()).toEqual([]);
    await insert(
      `step_id, pause_reason, paused_at) VALUES ('b', 'Pitches', '', '', '{}', 1, 1, 'paused', 7, 'bounces', ${harness.clock.now})`,
    );
    harness.clock.now += 5 * MINUTE;
    await harness.runNotifications();
    expect(harness.subjects()).toEqual(["a follow-up email needs your attention"]);
    expect(harness.lastText()).toContain("“Pitches”");
    expect(harness.lastText()).toContain("/owner/series/7");
    expect(harness.lastText()).not.toMatch(/Unsure|owner\/letters/);
  });

  test("that the owner paused, or that pause after their first recipients, are not", async () => {
    const harness = await nightHarness();
    const { now } = harness.clock;
    for (const reason of ["owner", "first-recipients"]) {
      const values = `'${reason}', 'We open', '', '', '{}', 1, 1, 'paused', '${reason}', ${now}`;
      await insert(`pause_reason, paused_at) VALUES (${values})`);
    }
    harness.clock.now += 5 * MINUTE;
    await harness.runNotifications();
    expect(harness.subjects()).toEqual([]);
  });

  test("that missed their schedule, or have unknown outcomes, are reported", async () => {
    const harness = await nightHarness();
    const { now } = harness.clock;
    await insert(`scheduled_for) VALUES ('a', 'Missed', '', '', '{}', 1, ${now}, 'draft', 1)`);
    await insert(`started_at) VALUES ('b', 'Unsure', '', '', '{}', 1, 1, 'sending', 1)`);
    await env.DB.exec(
      `INSERT INTO letter_batches (letter_id, number, outcome, done_at) VALUES (2, 0, 'unknown', ${now})`,
    );
    harness.clock.now += 5 * MINUTE;
    await harness.runNotifications();
    expect(harness.lastText()).toContain("“Missed”");
    expect(harness.lastText()).toContain("“Unsure”");
  });
});
