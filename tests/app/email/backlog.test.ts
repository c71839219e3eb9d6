import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { type Backlog, capacityPerHour, dueByPriority, hoursToSend, toBacklog } from "#app/email/backlog.server.ts";
import { planLimits } from "#app/server/config/plan-limits.ts";
import { outboxHarness } from "#tests/support/pool/emails.ts";
import { db, explain, freshDatabaseForEachTest, seedImported } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const NOW = Date.UTC(2026, 10, 21, 12);
const PAID = planLimits.paid;
const none: Backlog = { verified: 0, unverified: 0, imported: 0 };

test.each([
  ["none", {}, 500, 0],
  ["less than an hour", { verified: 100 }, 500, 0.2],
  ["days", { verified: 36_000 }, 500, 72],
  ["a million", { verified: 1_000_000 }, 500, 2_000],
  ["a million, limit raised", { verified: 1_000_000 }, 20_000, 50],
  ["imported only, at a quarter", { imported: 3_000 }, 500, 24],
  ["unverified only, at half", { unverified: 3_000 }, 500, 12],
  ["unverified and imported, side by side", { unverified: 3_000, imported: 3_000 }, 500, 24],
  ["imported after verified", { verified: 6_000, imported: 3_000 }, 500, 36],
  ["quarter rounded up", { imported: 30 }, 3, 30],
  ["shares of a limit of one", { unverified: 10, imported: 10 }, 1, 20],
  ["more than the runs can send", { verified: 402_600 }, 1_000_000, 10],
])("the hours for a backlog: %s", (_, backlog: Partial<Backlog>, emailsPerHour, hours) => {
  expect(hoursToSend({ ...none, ...backlog }, { emailsPerHour, plan: PAID })).toBeCloseTo(hours);
});

test("runs of the cron job send 14 emails a minute on the free plan and 671 on the paid one", () => {
  const perMinute = (plan: "free" | "paid") => capacityPerHour({ plan: planLimits[plan] }) / 60;
  expect([perMinute("free"), perMinute("paid")]).toEqual([14, 671]);
  expect(hoursToSend({ ...none, verified: 8_400 }, { emailsPerHour: 5_000, plan: planLimits.free })).toBe(10);
});

describe("the backlog", () => {
  const count = async (now: number) => toBacklog(await dueByPriority(db, now));

  test("is found by the index on due emails, so that sent ones are not read", async () => {
    const plan = await explain(dueByPriority(db, NOW));
    expect(plan).toEqual(["SEARCH email_outbox USING INDEX email_outbox_due (priority=?)"]);
  });

  test("counts due emails to sign-ups, unverified ones and imported people, not those sent or waiting for later", async () => {
    await seedImported(3, NOW);
    const { clock, join, sweep } = outboxHarness();
    clock.now = NOW;
    await join("ada@example.com");
    await sweep();
    expect(await count(NOW)).toEqual(none);
    await env.DB.exec("UPDATE email_outbox SET done_at = NULL WHERE entry_id <= 3");
    for (const name of ["bob", "cyd"]) await join(`${name}@example.com`, { verified: true });
    await join("dan@example.com", { verified: false });
    await join("eve@example.com");
    await env.DB.exec("UPDATE email_outbox SET next_attempt_at = next_attempt_at + 1 WHERE entry_id = 3");
    expect(await count(NOW)).toEqual({ verified: 3, unverified: 1, imported: 2 });
  });

  test("that the runs of an hour send is the share that the hours were computed with", async () => {
    await seedImported(30, NOW);
    const { clock, join, sweep } = outboxHarness({ emailsPerHour: 20 });
    clock.now = NOW;
    for (let person = 1; person <= 20; person += 1) await join(`new${person}@example.com`, { verified: false });
    const hours = hoursToSend(await count(NOW), { emailsPerHour: 20, plan: PAID });
    expect(hours).toBe(6);
    for (let hour = 1; hour <= hours; hour += 1) {
      expect(await count(clock.now)).not.toEqual(none);
      await sweep();
      clock.now += 3_600_000;
    }
    expect(await count(clock.now)).toEqual(none);
  });
});
