import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { listFailed, sendAgain, sendOneAgain } from "#app/owner/webhooks/deliveries.server.ts";
import { turnEndpoint } from "#app/owner/webhooks/endpoints.server.ts";
import { retryDelay } from "#app/owner/webhooks/retry-delays.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { execute, freshDatabaseForEachTest, join, needs } from "#tests/support/pool/start.ts";
import { addBacklog, HOUR, MINUTE, webhookHarness } from "#tests/support/pool/webhook-harness.ts";

const MAX_ATTEMPTS = 10;

needs("webhooks");
freshDatabaseForEachTest();

const DAY = 24 * HOUR;

/** The next time that runs forget what is old (UTC). */
function halfPastSix(now: number): number {
  const today = new Date(now).setUTCHours(6, 30, 0, 0);
  return today > now ? today : today + DAY;
}

test("ten attempts take about 75 hours, and no two events that failed together wait equally long", () => {
  const total = (random: number) => {
    let sum = 0;
    for (let attempts = 1; attempts < MAX_ATTEMPTS; attempts += 1) sum += retryDelay(attempts, 0, random) ?? Number.NaN;
    return sum / HOUR;
  };
  expect(total(0.5)).toBeCloseTo(75.6, 1);
  expect([total(0), total(1)]).toEqual([expect.closeTo(68, 0), expect.closeTo(83.2, 0)]);
  expect(retryDelay(MAX_ATTEMPTS, 0)).toBeNull();
});

test("an event that is never accepted is tried ten times, then failed with its reason, and can be sent again", async () => {
  const hooks = await webhookHarness(500);
  await join("ada@example.com");
  const start = hooks.clock.now;
  for (; hooks.clock.now < start + 100 * HOUR; hooks.clock.now += 30 * MINUTE) await hooks.run();
  expect((await hooks.receiver.state()).received).toHaveLength(10);
  const [failed] = await hooks.deliveries();
  expect(failed).toMatchObject({ attempts: 10, delivered_at: null, reason: "status-500" });
  expect(((failed?.dead_at ?? 0) - start) / HOUR).toBeGreaterThan(68);
  await hooks.receiver.change(200);
  expect(await sendOneAgain(hooks.db, hooks.endpointId, failed?.id ?? 0, hooks.clock.now)).toBe(true);
  await hooks.run();
  expect(await hooks.deliveries()).toMatchObject([{ delivered_at: hooks.clock.now, dead_at: null, attempts: 1 }]);
  expect(new Set((await hooks.receiver.events()).map(({ id }) => id)).size).toBe(1);
});

test("all since a time are sent again: those that failed, or all that are stored", async () => {
  const hooks = await webhookHarness();
  await addBacklog(hooks.endpointId, 4);
  await env.DB.exec("UPDATE webhook_deliveries SET created_at = id * 1000");
  await hooks.run();
  await env.DB.exec("UPDATE webhook_deliveries SET delivered_at = NULL, dead_at = 1 WHERE id > 2");
  const endedBefore = hooks.clock.now;
  const again = (since: number, which: "failed" | "all", limit = 10) =>
    sendAgain(hooks.db, hooks.endpointId, { since, which, endedBefore, limit, now: hooks.clock.now });
  expect(await again(4_000, "failed")).toBe(1);
  expect(await again(2_000, "all", 1)).toBe(1);
  expect(await again(2_000, "all")).toBe(1);
  expect(await again(2_000, "all")).toBe(0);
  await hooks.run();
  const ids = (await hooks.receiver.events()).map(({ data }) => data.entry_id).toSorted();
  expect(ids).toEqual([1, 2, 2, 3, 3, 4, 4]);
});

test("all that are stored can be sent again in parts, of which none comes twice", async () => {
  const hooks = await webhookHarness();
  await addBacklog(hooks.endpointId, 4);
  await hooks.run();
  const endedBefore = hooks.clock.now;
  for (const expected of [2, 2, 0]) {
    hooks.clock.now += MINUTE;
    const again = { since: 0, which: "all", endedBefore, limit: 2, now: hooks.clock.now } as const;
    expect(await sendAgain(hooks.db, hooks.endpointId, again)).toBe(expected);
    await hooks.run();
  }
  const ids = (await hooks.receiver.events()).map(({ data }) => data.entry_id).toSorted();
  expect(ids).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
});

test("events that waited while an endpoint was off have as long as others once it is on", async () => {
  const hooks = await webhookHarness(503);
  await addBacklog(hooks.endpointId, 30);
  await turnEndpoint(hooks.db, hooks.endpointId, false, hooks.clock.now);
  hooks.clock.now += 100 * HOUR;
  await turnEndpoint(hooks.db, hooks.endpointId, true, hooks.clock.now);
  await hooks.run();
  expect((await hooks.deliveries()).filter(({ dead_at }) => dead_at !== null)).toEqual([]);
  hooks.clock.now += 77 * HOUR;
  await hooks.run();
  expect((await hooks.deliveries()).filter(({ reason }) => reason === "too-late").length).toBeGreaterThan(10);
});

test("a receiver that refuses all of several events gets no more in this run", async () => {
  const hooks = await webhookHarness(404);
  await addBacklog(hooks.endpointId, 60);
  await hooks.run();
  expect((await hooks.receiver.state()).received).toHaveLength(6);
});

test("an event whose last attempt was interrupted is not tried for ever", async () => {
  const hooks = await webhookHarness();
  await join("ada@example.com");
  await env.DB.exec(`UPDATE webhook_deliveries SET attempts = ${MAX_ATTEMPTS}`);
  await hooks.run();
  expect((await hooks.receiver.state()).received).toEqual([]);
  hooks.clock.now = halfPastSix(hooks.clock.now);
  await hooks.run();
  expect(await hooks.deliveries()).toMatchObject([{ dead_at: hooks.clock.now, reason: "interrupted" }]);
});

test("on the free plan, a day's events leave rows of the database for sign-ups", async () => {
  const hooks = await webhookHarness();
  await addBacklog(hooks.endpointId, 100);
  const today = new Date(hooks.clock.now).toISOString().slice(0, 10);
  await env.DB.exec(`UPDATE webhook_endpoints SET rows_written = ${20_000 - 40}, written_on = '${today}'`);
  const received = async () => (await hooks.receiver.state()).received.length;
  await hooks.run({ plan: "free" });
  const sent = await received();
  expect(sent).toBeGreaterThanOrEqual(8);
  expect(sent).toBeLessThan(8 + 6);
  await hooks.run({ plan: "free" });
  expect(await received()).toBe(sent);
  hooks.clock.now += DAY;
  await hooks.run({ plan: "free" });
  expect(await received()).toBeGreaterThan(sent + 20);
});

test("events of a receiver that stays down are given up after three days, and those sent again get as long", async () => {
  const hooks = await webhookHarness(503);
  await addBacklog(hooks.endpointId, 300);
  const first = hooks.clock.now;
  await hooks.run();
  hooks.clock.now += 77 * HOUR;
  await addBacklog(hooks.endpointId, 1);
  await env.DB.exec(`UPDATE webhook_deliveries SET created_at = ${hooks.clock.now} WHERE id = 301`);
  for (let runs = 0; runs < 3; runs += 1) await hooks.run();
  const waiting = (await hooks.deliveries()).filter(({ dead_at }) => dead_at === null);
  expect(waiting.map(({ id }) => id)).toContain(301);
  // The others are those that were tried.
  expect(waiting.length).toBeLessThanOrEqual(1 + 4 * 6);
  await sendAgain(hooks.db, hooks.endpointId, {
    since: first - DAY,
    which: "failed",
    endedBefore: hooks.clock.now,
    limit: 10,
    now: hooks.clock.now,
  });
  await hooks.run();
  expect((await hooks.deliveries()).filter(({ dead_at }) => dead_at !== null).length).toBe(301 - waiting.length - 10);
});

test("events that have waited for their turn are not given up when their receiver, which accepts others, fails once", async () => {
  const hooks = await webhookHarness();
  await join("ada@example.com");
  await hooks.run();
  await addBacklog(hooks.endpointId, 100);
  await env.DB.exec(`UPDATE webhook_deliveries SET created_at = created_at - ${80 * HOUR} WHERE delivered_at IS NULL`);
  await hooks.receiver.change(503);
  await hooks.run();
  expect((await hooks.deliveries()).filter(({ dead_at }) => dead_at !== null)).toEqual([]);
});

test("events that wait for an endpoint that is on are not forgotten", async () => {
  const hooks = await webhookHarness(503);
  await addBacklog(hooks.endpointId, 30);
  hooks.clock.now = halfPastSix(hooks.clock.now);
  const longAgo = hooks.clock.now - 31 * DAY;
  await env.DB.exec(`UPDATE webhook_deliveries SET created_at = ${longAgo}, next_attempt_at = ${longAgo}`);
  await env.DB.exec(`UPDATE webhook_endpoints SET last_delivered_at = ${hooks.clock.now}`);
  await hooks.run();
  const waiting = (await hooks.deliveries()).filter(({ dead_at }) => dead_at === null);
  expect(waiting).toHaveLength(30);
  // The receiver was tried with a few, which then wait for another time; the others were left as they were.
  expect(waiting.filter(({ next_attempt_at }) => next_attempt_at === longAgo)).toHaveLength(24);
});

test("failed events are listed by when they failed, without reading the others", async () => {
  const hooks = await webhookHarness();
  await addBacklog(hooks.endpointId, 200);
  await env.DB.exec("UPDATE webhook_deliveries SET dead_at = 1000 + id % 10 WHERE id <= 100");
  const meter = meteredD1();
  const seen: number[] = [];
  let after: { id: number; dead_at: number | null } | undefined;
  do {
    meter.reset();
    const { failed, hasOlder } = await listFailed(openDb(meter.d1), hooks.endpointId, {
      ...(after && { after }),
      limit: 20,
    });
    expect(meter.rowsRead()).toBeLessThan(50);
    seen.push(...failed.map(({ id }) => id));
    after = hasOlder ? failed.at(-1) : undefined;
  } while (after !== undefined);
  const expected = Array.from({ length: 100 }, (_, n) => n + 1).toSorted((a, b) => (b % 10) - (a % 10) || b - a);
  expect(seen).toEqual(expected);
});

test("a time that a wrong clock has stored keeps no event waiting", async () => {
  const hooks = await webhookHarness();
  await join("ada@example.com");
  await execute("UPDATE webhook_deliveries SET next_attempt_at = ?", hooks.clock.now + 400 * DAY);
  hooks.clock.now = halfPastSix(hooks.clock.now);
  await hooks.run();
  await hooks.run();
  expect(await hooks.receiver.events()).toHaveLength(1);
});

test("accepted events are forgotten after 7 days, all others after 30, and those of a deleted endpoint at once", async () => {
  const hooks = await webhookHarness(200, { events: ["entry.erased"] });
  const other = await hooks.add(hooks.receiver, { events: [] });
  await env.DB.exec("UPDATE webhook_endpoints SET is_on = 0");
  hooks.clock.now = halfPastSix(hooks.clock.now);
  const ago = (days: number) => hooks.clock.now - days * DAY;
  await addBacklog(hooks.endpointId, 6);
  await addBacklog(other, 1);
  await env.DB.exec(`UPDATE webhook_deliveries SET delivered_at = ${ago(8)} WHERE id = 1`);
  await env.DB.exec(`UPDATE webhook_deliveries SET delivered_at = ${ago(6)} WHERE id = 2`);
  await env.DB.exec(`UPDATE webhook_deliveries SET dead_at = ${ago(31)} WHERE id = 3`);
  await env.DB.exec(`UPDATE webhook_deliveries SET dead_at = ${ago(29)} WHERE id = 4`);
  await env.DB.exec(`UPDATE webhook_deliveries SET created_at = ${ago(31)} WHERE id = 5`);
  await env.DB.exec(`UPDATE webhook_deliveries SET created_at = ${ago(29)} WHERE id = 6`);
  await env.DB.exec(`DELETE FROM webhook_endpoints WHERE id = ${other}`);
  await hooks.run();
  expect((await hooks.deliveries()).map(({ id }) => id)).toEqual([2, 4, 6]);
});

test("an event writes two rows when it happens, and at most five more until it is accepted", async () => {
  const hooks = await webhookHarness();
  await addBacklog(hooks.endpointId, 60);
  const meter = meteredD1();
  await hooks.run({ d1: meter.d1 });
  expect((await hooks.receiver.state()).received).toHaveLength(60);
  expect(meter.rowsWritten() / 60).toBeGreaterThan(1);
  expect(meter.rowsWritten() / 60).toBeLessThanOrEqual(5);
});

test.each([
  ["free", 45],
  ["paid", 900],
] as const)(
  "on the %s plan a run makes at most %d statements and requests, shared between all endpoints",
  async (plan, max) => {
    const hooks = await webhookHarness();
    const others = [await webhookHarness(500), await webhookHarness(503)];
    for (const { endpointId } of [hooks, ...others]) await addBacklog(endpointId, max);
    const meter = meteredD1();
    await hooks.run({ plan, d1: meter.d1 });
    const received = await Promise.all(
      [hooks, ...others].map(async ({ receiver }) => (await receiver.state()).received.length),
    );
    const used = meter.executed.length + received.reduce((sum, requests) => sum + requests, 0);
    expect(used).toBeLessThanOrEqual(max);
    expect(received[0]).toBeGreaterThanOrEqual(Math.floor(max / 10));
    // Those of the others are not sent after the first.
    expect(received[1]).toBeGreaterThan(0);
    expect(received[2]).toBeGreaterThan(0);
  },
);

test("alone, an endpoint gets at least 14 events a minute on the free plan", async () => {
  const hooks = await webhookHarness();
  await addBacklog(hooks.endpointId, 50);
  await hooks.run({ plan: "free" });
  expect((await hooks.receiver.state()).received.length).toBeGreaterThanOrEqual(28);
});

test("runs at the same time send no event twice", async () => {
  const hooks = await webhookHarness();
  await addBacklog(hooks.endpointId, 40);
  await Promise.all([hooks.run(), hooks.run(), hooks.run()]);
  expect((await hooks.receiver.state()).received).toHaveLength(40);
});
