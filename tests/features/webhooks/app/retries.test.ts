import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import {
  deleteEndpoint,
  type FailedCursor,
  listFailed,
  sendAgain,
  sendOneAgain,
  turnEndpoint,
} from "#app/features/webhooks/endpoints.server.ts";
import { deliveryRetryDelay } from "#app/features/webhooks/retry-delays.ts";
import { planLimits, type WorkersPlan } from "#app/server/config/plan-limits.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { addBacklog, HOUR, MINUTE, webhookHarness } from "#tests/features/webhooks/pool/webhook-harness.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { db, execute, freshDatabaseForEachTest, join, needs } from "#tests/support/pool/start.ts";
import { steps } from "#worker/scheduled.ts";

const MAX_ATTEMPTS = 10;
const DAY = 24 * HOUR;

needs("webhooks");
freshDatabaseForEachTest();

type Harness = Awaited<ReturnType<typeof webhookHarness>>;

const dead = async (hooks: Harness) => (await hooks.deliveries()).filter(({ dead_at }) => dead_at !== null);

test("ten attempts take about 75 hours, and no two events that failed together wait equally long", () => {
  const total = (random: number) => {
    let sum = 0;
    for (let attempts = 1; attempts < MAX_ATTEMPTS; attempts += 1)
      sum += deliveryRetryDelay(attempts, 0, random) ?? Number.NaN;
    return sum / HOUR;
  };
  expect([0, 0.5, 1].map(total)).toEqual([68, 75.6, 83.2].map((hours) => expect.closeTo(hours, 0)));
  expect(deliveryRetryDelay(MAX_ATTEMPTS, 0)).toBeNull();
});

test("an event is tried ten times, then has failed with its reason, and can be sent again", async () => {
  const hooks = await webhookHarness(500);
  await join("ada@example.com");
  const start = hooks.clock.now;
  // Its receiver accepts others.
  const run = () => execute("UPDATE webhook_endpoints SET failing_since = NULL").then(() => hooks.run());
  for (; hooks.clock.now < start + 100 * HOUR; hooks.clock.now += 30 * MINUTE) await run();
  expect(await hooks.receiver.count()).toBe(10);
  const [failed] = await hooks.deliveries();
  expect(failed).toMatchObject({ attempts: 10, done_at: null, reason: "status", last_status: 500 });
  expect(((failed?.dead_at ?? 0) - start) / HOUR).toBeGreaterThan(68);
  await hooks.receiver.change(200);
  expect(await sendOneAgain(db, hooks.endpointId, failed?.id ?? 0, hooks.clock.now)).toBe(true);
  await run();
  expect(await hooks.deliveries()).toMatchObject([{ done_at: hooks.clock.now, dead_at: null, attempts: 1 }]);
  expect(new Set((await hooks.receiver.events()).map(({ id }) => id)).size).toBe(1);
});

test("an event whose tenth attempt was interrupted is not sent an eleventh time", async () => {
  const hooks = await webhookHarness();
  await join("ada@example.com");
  await execute("UPDATE jobs SET attempts = ?", MAX_ATTEMPTS);
  await hooks.run();
  expect(await hooks.receiver.count()).toBe(0);
  expect(await hooks.deliveries()).toMatchObject([{ dead_at: hooks.clock.now, reason: "interrupted" }]);
});

test("all since a time are sent again in parts, of which none comes twice", async () => {
  const hooks = await webhookHarness();
  await addBacklog(hooks.endpointId, 5);
  await env.DB.exec("UPDATE jobs SET created_at = id * 1000");
  await hooks.run();
  await env.DB.exec("UPDATE jobs SET done_at = NULL, dead_at = 1 WHERE id > 3");
  const endedBefore = hooks.clock.now;
  const again = async (since: number, which: "failed" | "all") => {
    hooks.clock.now += MINUTE;
    const sent = await sendAgain(db, hooks.endpointId, { since, which, endedBefore, limit: 2, now: hooks.clock.now });
    await hooks.run();
    return sent;
  };
  expect(await again(5_000, "failed")).toBe(1);
  for (const sent of [2, 1, 0]) expect(await again(2_000, "all")).toBe(sent);
  const ids = (await hooks.receiver.events()).map(({ data }) => data.entry_id).toSorted();
  expect(ids).toEqual([1, 2, 2, 3, 3, 4, 4, 5, 5]);
});

test.each(["free", "paid"] as const)("on the %s plan, a day has its attempts, for all endpoints", async (plan) => {
  const hooks = await webhookHarness();
  const other = await webhookHarness();
  for (const { endpointId } of [hooks, other]) await addBacklog(endpointId, 50);
  const today = new Date(hooks.clock.now).toISOString().slice(0, 10);
  const used = planLimits.free.webhookAttemptsADay - 10;
  await execute("UPDATE webhook_endpoints SET attempts_today = ?, attempts_on = ? WHERE id = 1", used, today);
  for (let runs = 0; runs < 2; runs += 1) await hooks.run({ plan });
  const sent = (await hooks.receiver.count()) + (await other.receiver.count());
  expect(sent).toBe(plan === "free" ? 10 : 100);
  hooks.clock.now += DAY;
  await hooks.run({ plan });
  expect((await hooks.receiver.count()) + (await other.receiver.count())).toBeGreaterThan(plan === "free" ? 25 : 99);
});

test.each<[WorkersPlan, number]>([
  ["free", 10],
  ["paid", 2_000],
])("on the %s plan, a run gives up %d events that are due for 76 hours", async (plan, atOnce) => {
  const hooks = await webhookHarness(503);
  await addBacklog(hooks.endpointId, 2 * atOnce);
  await execute("UPDATE jobs SET next_attempt_at = ?", hooks.clock.now);
  await hooks.run({ plan });
  for (const [hours, least, most] of [
    [75, 0, 0],
    [1.1, atOnce, atOnce],
    [1, 2 * atOnce - 8, 2 * atOnce],
  ] as const) {
    hooks.clock.now += hours * HOUR;
    await hooks.run({ plan });
    const given = (await dead(hooks)).length;
    expect([given >= least, given <= most]).toEqual([true, true]);
  }
  expect(new Set((await dead(hooks)).map(({ reason }) => reason))).toEqual(new Set(["too-late"]));
  const again = { since: 0, which: "failed", endedBefore: hooks.clock.now, limit: 10, now: hooks.clock.now } as const;
  const before = (await dead(hooks)).length;
  await sendAgain(db, hooks.endpointId, again);
  hooks.clock.now += HOUR;
  await hooks.run({ plan });
  expect((await dead(hooks)).length).toBeLessThanOrEqual(before - 2);
});

/** What the cron job forgets, on the free plan. */
function forget(hooks: Harness) {
  hooks.clock.now = new Date(hooks.clock.now).setUTCHours(30, 30, 0, 0);
  return steps["forgetJobs"]?.(hooks.app({ plan: "free" }), { startedAt: hooks.clock.now, subrequests: 45, until: 0 });
}

test("accepted events are forgotten after 7 days, others after 30, and none that waits for its turn", async () => {
  const hooks = await webhookHarness();
  const off = await hooks.add(hooks.receiver);
  await turnEndpoint(db, off, false);
  await addBacklog(hooks.endpointId, 5);
  await addBacklog(off, 2);
  hooks.clock.now = new Date(hooks.clock.now).setUTCHours(30, 30, 0, 0);
  const set = (column: string, days: number, id: number) =>
    execute(`UPDATE jobs SET ${column} = ? WHERE id = ?`, hooks.clock.now - days * DAY, id);
  const days = { done_at: [8, 6], dead_at: [31, 29], next_attempt_at: [99, 31, 29] };
  const ages = Object.entries(days).flatMap(([column, all]) => all.map((age) => [column, age] as const));
  for (const [index, [column, age]] of ages.entries()) await set(column, age, index + 1);
  hooks.clock.now -= DAY;
  await forget(hooks);
  expect((await hooks.deliveries()).map(({ id }) => id)).toEqual([2, 4, 5, 7]);
});

test("the events of a deleted endpoint are never sent, and forgotten in parts", async () => {
  const hooks = await webhookHarness();
  const other = await hooks.add(hooks.receiver);
  await addBacklog(hooks.endpointId, planLimits.free.jobsForgottenAtOnce + 1);
  await addBacklog(other, 1);
  await deleteEndpoint(db, hooks.endpointId);
  for (const left of [2, 1]) {
    await forget(hooks);
    expect(await hooks.deliveries()).toHaveLength(left);
  }
  await hooks.run();
  expect(await hooks.receiver.count()).toBe(1);
});

test("failed events are listed by when they failed, without reading the others", async () => {
  const hooks = await webhookHarness();
  await addBacklog(hooks.endpointId, 200);
  await env.DB.exec("UPDATE jobs SET dead_at = 1000 + id % 10 WHERE id <= 100");
  const meter = meteredD1();
  const seen: number[] = [];
  for (let after: FailedCursor | undefined; ; ) {
    meter.reset();
    const page = await listFailed(openDb(meter.d1), hooks.endpointId, { ...(after && { after }), limit: 20 });
    expect(meter.rowsRead()).toBeLessThan(50);
    seen.push(...page.failed.map(({ id }) => id));
    if (!page.hasOlder) break;
    after = page.failed.at(-1);
  }
  const expected = Array.from({ length: 100 }, (_, n) => n + 1).toSorted((a, b) => (b % 10) - (a % 10) || b - a);
  expect(seen).toEqual(expected);
});
