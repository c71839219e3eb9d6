import { expect, test, vi } from "vitest";
import { changeEndpoint, turnEndpoint } from "#app/owner/webhooks/endpoints.server.ts";
import { db, execute, freshDatabaseForEachTest, join, needs } from "#tests/support/pool/start.ts";
import { addBacklog, allEvents, HOUR, MINUTE, webhookHarness } from "#tests/support/pool/webhook-harness.ts";
import { transport } from "#tests/support/pool/webhook-receiver.ts";
import type { Manner } from "#tests/support/webhook-receiver.ts";

const TIMEOUT = 15_000;
const DAY = 24 * HOUR;

needs("webhooks");
freshDatabaseForEachTest();

type Harness = Awaited<ReturnType<typeof webhookHarness>>;

const waits = { done_at: null, dead_at: null };

/** A run in which the receiver lets so many requests wait until they take too long. Others do their work meanwhile. */
async function runUntilTimeout(hooks: Harness, open: number, others = async () => {}) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const run = hooks.run();
    await vi.waitUntil(async () => (await hooks.receiver.state()).open === open, { timeout: 10_000, interval: 10 });
    await others();
    vi.advanceTimersByTime(TIMEOUT);
    await run;
  } finally {
    vi.useRealTimers();
  }
}

test("a receiver that hangs is left after 15 seconds and one round, what was not tried uses up no attempt, and no other waits", async () => {
  const hooks = await webhookHarness("hang");
  const other = await webhookHarness();
  for (const { endpointId } of [hooks, other]) await addBacklog(endpointId, 20);
  const open = 3;
  await runUntilTimeout(hooks, open, () => vi.waitUntil(async () => (await other.receiver.count()) === 20));
  const events = (await hooks.deliveries()).filter(({ subject }) => subject === hooks.endpointId);
  const tried = events.filter(({ attempts }) => attempts === 1);
  expect(tried).toMatchObject(Array(open).fill({ ...waits, reason: "timeout" }));
  expect(events.filter(({ attempts, leased_until }) => attempts === 0 && leased_until === 0)).toHaveLength(20 - open);
  await vi.waitUntil(async () => (await hooks.receiver.state()).open === 0);
});

test("a receiver that accepts nothing is tried with one event, after ever longer pauses up to ten minutes, until it is back", async () => {
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
  expect(await tries(60)).toBeGreaterThanOrEqual(5);
  expect(await tries(60)).toBeLessThanOrEqual(6);
  await hooks.receiver.change(200);
  hooks.clock.now += DAY;
  expect(await tries(2)).toBe(100);
  expect(await hooks.endpoint()).toMatchObject({ failing_since: null, waiting: 0 });
});

test("a receiver that answers slowly for ever does not make a run longer than its time, and no event is left without its result", async () => {
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
  expect(await hooks.receiver.count()).toBeGreaterThanOrEqual(18);
  expect((await hooks.deliveries()).filter(({ done_at }) => done_at !== null)).toHaveLength(
    await hooks.receiver.count(),
  );
  expect((await hooks.deliveries()).every(({ leased_until }) => leased_until === 0)).toBe(true);
});

test.each<[Manner, string, number | null]>([
  [500, "status", 500],
  [404, "status", 404],
  [521, "refused", 521],
  [522, "timeout", 522],
  [523, "unreachable", 523],
  [526, "tls", 526],
  [530, "dns", 530],
  ["close", "unreachable", null],
])("after %s an event waits, with its reason", async (manner, reason, last_status) => {
  const hooks = await webhookHarness(manner);
  await join("ada@example.com");
  await hooks.run();
  expect(await hooks.deliveries()).toMatchObject([{ ...waits, attempts: 1, reason, last_status }]);
});

test("a redirect to 127.0.0.1 is not followed", async () => {
  const hooks = await webhookHarness();
  for (const status of [301, 302, 303, 307, 308]) {
    await hooks.receiver.change(status, { Location: `${hooks.receiver.loopback}/private` });
    await join(`ada${status}@example.com`);
    await execute("UPDATE webhook_endpoints SET failing_since = NULL");
    await hooks.run();
    expect((await hooks.deliveries()).at(-1)).toMatchObject({ ...waits, reason: "status", last_status: status });
  }
  expect((await hooks.receiver.state()).strays).toEqual([]);
});

test("after a 410 the endpoint is off, and events are recorded and wait; their time counts from when it is on, even after 40 days", async () => {
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
  for (const status of [500, 200] as const) {
    await hooks.receiver.change(status);
    await hooks.run();
    hooks.clock.now += MINUTE;
  }
  await hooks.run();
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
  [new Date(Date.now() + HOUR).toUTCString(), HOUR],
])("Retry-After: %s pauses that endpoint, at most six hours, and holds no other", async (retryAfter, pause) => {
  const hooks = await webhookHarness();
  const other = await webhookHarness();
  await hooks.receiver.change(429, { "Retry-After": retryAfter });
  await addBacklog(hooks.endpointId, 100);
  await addBacklog(other.endpointId, 10);
  await hooks.run();
  expect(await other.receiver.count()).toBe(10);
  const asked = await hooks.receiver.count();
  expect(((await hooks.endpoint())?.paused_until ?? 0) - hooks.clock.now).toBeGreaterThanOrEqual(pause - MINUTE);
  await hooks.receiver.change(200);
  hooks.clock.now += Math.max(pause - 2 * MINUTE, 0);
  await hooks.run();
  expect(await hooks.receiver.count()).toBe(pause > 0 ? asked : 100);
  hooks.clock.now += 2 * MINUTE;
  await hooks.run();
  expect(await hooks.receiver.count()).toBeGreaterThanOrEqual(asked + 94);
});

test("another URL, and turning it on, make an endpoint forget its pause and that it was failing", async () => {
  const hooks = await webhookHarness();
  const known = () =>
    execute("UPDATE webhook_endpoints SET paused_until = ?, failing_since = 1", hooks.clock.now + HOUR);
  const choice = { url: `${hooks.receiver.url}?2`, events: allEvents, has_personal_data: false };
  await known();
  await changeEndpoint(db, hooks.endpointId, choice);
  expect(await hooks.endpoint()).toMatchObject({ paused_until: 0, failing_since: null });
  await known();
  for (const isOn of [false, true]) await turnEndpoint(db, hooks.endpointId, isOn);
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
