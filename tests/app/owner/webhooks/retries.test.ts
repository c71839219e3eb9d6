import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { sendAgain, sendOneAgain } from "#app/owner/webhooks/deliveries.server.ts";
import { deleteEndpoint, turnEndpoint } from "#app/owner/webhooks/endpoints.server.ts";
import { retryDelay } from "#app/owner/webhooks/retry-delays.ts";
import { planLimits } from "#app/server/plan-limits.ts";
import { db, execute, freshDatabaseForEachTest, join, needs } from "#tests/support/pool/start.ts";
import { addBacklog, HOUR, MINUTE, webhookHarness } from "#tests/support/pool/webhook-harness.ts";
import { steps } from "#worker/scheduled.ts";

const MAX_ATTEMPTS = 10;
const DAY = 24 * HOUR;

needs("webhooks");
freshDatabaseForEachTest();

test("ten attempts take about 75 hours, and no two events that failed together wait equally long", () => {
  const total = (random: number) => {
    let sum = 0;
    for (let attempts = 1; attempts < MAX_ATTEMPTS; attempts += 1) sum += retryDelay(attempts, 0, random) ?? Number.NaN;
    return sum / HOUR;
  };
  expect([0, 0.5, 1].map(total)).toEqual([68, 75.6, 83.2].map((hours) => expect.closeTo(hours, 0)));
  expect(retryDelay(MAX_ATTEMPTS, 0)).toBeNull();
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

test("events that have been due for 76 hours have failed, ten a run on the free plan, unless sent again", async () => {
  const hooks = await webhookHarness(503);
  await addBacklog(hooks.endpointId, 20);
  await execute("UPDATE jobs SET next_attempt_at = ?", hooks.clock.now);
  const failed = async (hours: number) => {
    hooks.clock.now += hours * HOUR;
    await hooks.run({ plan: "free" });
    return (await hooks.deliveries()).filter(({ reason }) => reason === "too-late").map(({ id }) => id);
  };
  for (const hours of [0, 75]) expect(await failed(hours)).toEqual([]);
  const first = await failed(1.1);
  expect(first).toHaveLength(10);
  const again = { since: 0, which: "failed", endedBefore: hooks.clock.now, limit: 4, now: hooks.clock.now } as const;
  await sendAgain(db, hooks.endpointId, again);
  const later = await failed(1);
  expect(first.filter((id) => !later.includes(id))).toHaveLength(4);
});

test("events of an endpoint that is off are forgotten after 30 days, those of a deleted one never sent", async () => {
  const hooks = await webhookHarness();
  const off = await hooks.add(hooks.receiver);
  const deleted = await hooks.add(hooks.receiver);
  await turnEndpoint(db, off, false);
  for (const endpoint of [hooks.endpointId, off, off, deleted]) await addBacklog(endpoint, 1);
  await deleteEndpoint(db, deleted);
  hooks.clock.now = new Date(hooks.clock.now).setUTCHours(30, 30, 0, 0);
  for (const [id, days] of [99, 31, 29, 29].entries())
    await execute("UPDATE jobs SET next_attempt_at = ? WHERE id = ?", hooks.clock.now - days * DAY, id + 1);
  const run = { startedAt: hooks.clock.now, subrequests: 45, until: 0 };
  await steps["forgetJobs"]?.(hooks.app({ plan: "free" }), run);
  expect((await hooks.deliveries()).map(({ id }) => id)).toEqual([1, 3]);
  await addBacklog(deleted, 1);
  await execute("UPDATE jobs SET next_attempt_at = 0");
  await hooks.run();
  expect(await hooks.receiver.count()).toBe(1);
});
