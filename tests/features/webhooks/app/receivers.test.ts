import { expect, test, vi } from "vitest";
import { changeEndpoint, turnEndpoint } from "#app/features/webhooks/endpoints.server.ts";
import { addBacklog, HOUR, MINUTE, webhookHarness } from "#tests/features/webhooks/pool/webhook-harness.ts";
import { transport } from "#tests/features/webhooks/pool/webhook-receiver.ts";
import type { Manner } from "#tests/features/webhooks/webhook-receiver.ts";
import { db, execute, freshDatabaseForEachTest, join, needs } from "#tests/support/pool/start.ts";

const TIMEOUT = 15_000;
const DAY = 24 * HOUR;

needs("webhooks");
const log = freshDatabaseForEachTest();

const waits = { done_at: null, dead_at: null };

test("a receiver that hangs is left after 15 seconds, uses up few attempts, and no other waits for it", async () => {
  const [hooks, other] = [await webhookHarness("hang"), await webhookHarness()];
  for (const { endpointId } of [hooks, other]) await addBacklog(endpointId, 20);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const run = hooks.run();
  // Half of six connections.
  await vi.waitUntil(async () => (await hooks.receiver.state()).open === 3, { timeout: 10_000 });
  const isDone = () => log.some((line) => line.includes(`"endpointId":${other.endpointId},"accepted":20`));
  await vi.waitUntil(isDone, { timeout: 10_000 });
  vi.advanceTimersByTime(TIMEOUT);
  await run.finally(() => vi.useRealTimers());
  const events = (await hooks.deliveries()).filter(({ subject }) => subject === hooks.endpointId);
  const tried = events.filter(({ attempts }) => attempts === 1);
  expect(tried).toMatchObject(Array(3).fill({ ...waits, reason: "timeout" }));
  expect(events.filter(({ attempts, leased_until }) => attempts === 0 && leased_until === 0)).toHaveLength(17);
  await vi.waitUntil(async () => (await hooks.receiver.state()).open === 0);
});

test("a failing receiver is tried with one event, after ever longer pauses up to ten minutes", async () => {
  const hooks = await webhookHarness(503);
  await addBacklog(hooks.endpointId, 100);
  const tries = async (minutes: number) => {
    const before = await hooks.receiver.count();
    for (let run = 0; run < minutes; run += 2, hooks.clock.now += 2 * MINUTE) await hooks.run();
    return (await hooks.receiver.count()) - before;
  };
  // Six over the connections of the first round, then one a run.
  expect(await tries(10)).toBe(6 + 4);
  expect(await tries(90)).toBeLessThan(25);
  expect(await tries(60)).toBeLessThanOrEqual(6);
  expect(await tries(60)).toBeGreaterThanOrEqual(5);
  await hooks.receiver.change(200);
  hooks.clock.now += DAY;
  expect(await tries(2)).toBe(100);
  expect(await hooks.endpoint()).toMatchObject({ failing_since: null, waiting: 0 });
});

test("a receiver that answers slowly for ever makes no run longer, and each result is recorded", async () => {
  const hooks = await webhookHarness();
  await addBacklog(hooks.endpointId, 200);
  const start = hooks.clock.now;
  const { send } = transport;
  transport.send = async (request) => {
    const from = hooks.clock.now;
    const response = await request();
    hooks.clock.now = Math.max(hooks.clock.now, from + 14_000);
    return response;
  };
  await hooks.run().finally(() => Object.assign(transport, { send }));
  expect(hooks.clock.now - start).toBeLessThanOrEqual(110_000);
  const sent = await hooks.receiver.count();
  expect(sent).toBeGreaterThanOrEqual(18);
  const events = await hooks.deliveries();
  expect(events.filter(({ done_at }) => done_at !== null)).toHaveLength(sent);
  expect(events.every(({ leased_until }) => leased_until === 0)).toBe(true);
});

test.each([
  ...[301, 302, 303, 307, 308, 404, 500].map((status) => [status, "status"] as const),
  ...Object.entries({ 521: "refused", 522: "timeout", 523: "unreachable", 526: "tls", 530: "dns" }),
  ["close", "refused"] as const,
])("after %s an event waits, with its reason, and no redirect is followed", async (manner, reason) => {
  const hooks = await webhookHarness();
  const status = Number(manner) || null;
  await hooks.receiver.change(status ?? "close", { Location: `${hooks.receiver.loopback}/private` });
  await join("ada@example.com");
  await hooks.run();
  expect(await hooks.deliveries()).toMatchObject([{ ...waits, attempts: 1, reason, last_status: status }]);
  expect((await hooks.receiver.state()).strays).toEqual([]);
});

test("after a 410 events are recorded and wait; their time counts from when it is on, after 40 days", async () => {
  const hooks = await webhookHarness(410);
  await addBacklog(hooks.endpointId, 20);
  await hooks.run();
  const asked = await hooks.receiver.count();
  expect(asked).toBeLessThanOrEqual(6);
  await join("ada@example.com");
  expect(await hooks.endpoint()).toMatchObject({ is_on: false, off_reason: "gone", waiting: 21 });
  hooks.clock.now += 40 * DAY;
  await hooks.run();
  expect(await hooks.receiver.count()).toBe(asked);
  await turnEndpoint(db, hooks.endpointId, true);
  for (const status of [500, 200, 200] as const) {
    await hooks.receiver.change(status);
    await hooks.run();
    hooks.clock.now += MINUTE;
  }
  expect(await hooks.endpoint()).toMatchObject({ is_on: true, waiting: 0, failed: 0 });
});

test.each<Manner>(["gigabyte", "endless"])("of a body of a %s next to nothing is read", async (manner) => {
  const hooks = await webhookHarness(manner);
  await join("ada@example.com");
  await hooks.run();
  expect(await hooks.deliveries()).toMatchObject([{ done_at: hooks.clock.now }]);
  await vi.waitUntil(async () => (await hooks.receiver.state()).open === 0);
  // What fits into the buffers of the connection.
  expect((await hooks.receiver.state()).sent).toBeLessThan(64 << 20);
});

test.each([
  ["120", 2 * MINUTE],
  ["86400000", 6 * HOUR],
  ["soon", 0],
  ["a date", HOUR],
])("Retry-After: %s pauses that endpoint, at most six hours, and holds no other", async (retryAfter, pause) => {
  const hooks = await webhookHarness();
  const other = await webhookHarness();
  const until = new Date(hooks.clock.now + pause).toUTCString();
  await hooks.receiver.change(429, { "Retry-After": retryAfter === "a date" ? until : retryAfter });
  for (const { endpointId } of [hooks, other]) await addBacklog(endpointId, 20);
  await hooks.run();
  const asked = await hooks.receiver.count();
  expect(await other.receiver.count()).toBe(20);
  await hooks.receiver.change(200);
  // Headers have no fractions of seconds.
  hooks.clock.now += Math.max(pause - 5_000, 0);
  await hooks.run();
  expect((await hooks.receiver.count()) > asked).toBe(pause === 0);
  hooks.clock.now += 7 * MINUTE;
  await hooks.run();
  expect(await hooks.endpoint()).toMatchObject({ waiting: 0 });
});

test.each([
  [
    "another URL",
    (id: number) => changeEndpoint(db, id, { url: "https://b.example/", events: [], has_personal_data: true }),
  ],
  ["turning it on", (id: number) => turnEndpoint(db, id, false).then(() => turnEndpoint(db, id, true))],
])("%s makes an endpoint forget its pause and that it was failing", async (_, change) => {
  const hooks = await webhookHarness();
  await execute("UPDATE webhook_endpoints SET paused_until = 9, failing_since = 1");
  await change(hooks.endpointId);
  expect(await hooks.endpoint()).toMatchObject({ paused_until: 0, failing_since: null });
});

test("a URL that is not public is not asked, also if it was stored", async () => {
  const hooks = await webhookHarness();
  await execute("UPDATE webhook_endpoints SET url = ?", "https://10.0.0.1/hook");
  const asked = vi.mocked(globalThis.fetch).mock.calls.length;
  await join("ada@example.com");
  await hooks.run();
  expect(vi.mocked(globalThis.fetch).mock.calls.length).toBe(asked);
  expect(await hooks.deliveries()).toMatchObject([{ ...waits, reason: "address" }]);
});
