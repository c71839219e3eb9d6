import { env } from "cloudflare:test";
import { expect, test, vi } from "vitest";
import { changeEndpoint, findEndpoint, turnEndpoint } from "#app/owner/webhooks/endpoints.server.ts";
import { freshDatabaseForEachTest, join, needs } from "#tests/support/pool/start.ts";
import { addBacklog, allEvents, HOUR, MINUTE, webhookHarness } from "#tests/support/pool/webhook-harness.ts";
import type { Manner } from "#tests/support/webhook-receiver.ts";

const TIMEOUT = 15_000;

needs("webhooks");
freshDatabaseForEachTest();

type Harness = Awaited<ReturnType<typeof webhookHarness>>;

/** A run in which the receiver lets so many requests wait until they take too long. */
async function runUntilTimeout(hooks: Harness, open: number) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const run = hooks.run();
    await vi.waitUntil(async () => (await hooks.receiver.state()).open === open, { timeout: 10_000, interval: 10 });
    vi.advanceTimersByTime(TIMEOUT);
    await run;
  } finally {
    vi.useRealTimers();
  }
}

const waits = { delivered_at: null, dead_at: null };

test("a receiver that hangs is left after 15 seconds, and its events wait for a later run", async () => {
  const hooks = await webhookHarness("hang");
  await join("ada@example.com");
  await runUntilTimeout(hooks, 1);
  expect(await hooks.deliveries()).toMatchObject([{ ...waits, attempts: 1, reason: "timeout" }]);
  await vi.waitUntil(async () => (await hooks.receiver.state()).open === 0);
  await hooks.receiver.change(200);
  hooks.clock.now += MINUTE;
  await hooks.run();
  expect(await hooks.deliveries()).toMatchObject([{ attempts: 2, delivered_at: hooks.clock.now, reason: null }]);
});

test("a receiver that hangs costs a run one round, and those that were not tried use up no attempt", async () => {
  const hooks = await webhookHarness("hang");
  await addBacklog(hooks.endpointId, 100);
  await runUntilTimeout(hooks, 6);
  const deliveries = await hooks.deliveries();
  expect(deliveries.filter(({ attempts }) => attempts === 1)).toHaveLength(6);
  expect(deliveries.filter(({ attempts, next_attempt_at }) => attempts === 0 && next_attempt_at === 0)).toHaveLength(
    94,
  );
});

test("a receiver that hangs keeps no other endpoint waiting", async () => {
  const hooks = await webhookHarness("hang");
  const other = await webhookHarness();
  await join("ada@example.com");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const run = hooks.run();
  await vi.waitUntil(async () => (await other.deliveries()).some(({ delivered_at }) => delivered_at !== null), {
    interval: 10,
  });
  expect((await hooks.receiver.state()).open).toBe(1);
  vi.advanceTimersByTime(TIMEOUT);
  vi.useRealTimers();
  await run;
});

test.each<[Manner, string]>([
  [500, "status-500"],
  [404, "status-404"],
  [301, "status-301"],
  ["close", "unreachable"],
])("after %s an event waits, with its reason", async (manner, reason) => {
  const hooks = await webhookHarness(manner);
  await join("ada@example.com");
  await hooks.run();
  expect(await hooks.deliveries()).toMatchObject([{ ...waits, attempts: 1, reason }]);
});

test("a redirect to 127.0.0.1 is not followed", async () => {
  const hooks = await webhookHarness();
  for (const status of [301, 302, 303, 307, 308]) {
    await hooks.receiver.change(status, { Location: `${hooks.receiver.loopback}/private` });
    await join(`ada${status}@example.com`);
    await hooks.run();
    expect((await hooks.deliveries()).at(-1)).toMatchObject({ ...waits, reason: `status-${status}` });
  }
  expect((await hooks.receiver.state()).strays).toEqual([]);
});

test("410 turns the endpoint off, and its events wait until it is on again", async () => {
  const hooks = await webhookHarness(410);
  await addBacklog(hooks.endpointId, 20);
  await hooks.run();
  expect(await findEndpoint(hooks.db, hooks.endpointId)).toMatchObject({
    is_on: false,
    off_reason: "gone",
    waiting: 20,
  });
  const asked = (await hooks.receiver.state()).received.length;
  expect(asked).toBeLessThanOrEqual(6);
  hooks.clock.now += HOUR;
  await hooks.run();
  expect((await hooks.receiver.state()).received).toHaveLength(asked);
});

test("what happens while a receiver is gone is recorded, and sent once the endpoint is on again", async () => {
  const hooks = await webhookHarness(410);
  await join("ada@example.com");
  await hooks.run();
  await join("bea@example.com");
  // Longer than events for a receiver that is down are kept.
  hooks.clock.now += 100 * HOUR;
  await hooks.receiver.change(200);
  await turnEndpoint(hooks.db, hooks.endpointId, true, hooks.clock.now);
  await hooks.run();
  expect((await hooks.receiver.state()).received).toHaveLength(3);
  expect(await hooks.deliveries()).toMatchObject([
    { delivered_at: hooks.clock.now },
    { delivered_at: hooks.clock.now },
  ]);
});

test("of an endpoint that its owner has turned off, nothing is recorded", async () => {
  const hooks = await webhookHarness();
  await turnEndpoint(hooks.db, hooks.endpointId, false, hooks.clock.now);
  await join("ada@example.com");
  expect(await hooks.deliveries()).toEqual([]);
});

test.each<Manner>(["gigabyte", "endless"])("of a body of a %s next to nothing is read", async (manner) => {
  const hooks = await webhookHarness(manner);
  await join("ada@example.com");
  await hooks.run();
  expect(await hooks.deliveries()).toMatchObject([{ delivered_at: hooks.clock.now }]);
  await vi.waitUntil(async () => (await hooks.receiver.state()).open === 0);
  // What fits into the buffers of the connection.
  expect((await hooks.receiver.state()).sent).toBeLessThan(64 << 20);
});

test("a receiver that loses every second request gets each event in the end, under one id", async () => {
  const hooks = await webhookHarness("lose-every-second");
  for (let n = 1; n <= 10; n += 1) await join(`ada${n}@example.com`);
  for (let runs = 0; runs < 12; runs += 1) {
    await hooks.run();
    hooks.clock.now += 6 * HOUR;
  }
  expect((await hooks.deliveries()).every(({ delivered_at }) => delivered_at !== null)).toBe(true);
  const events = await hooks.receiver.events();
  expect(events.length).toBeGreaterThan(10);
  const ids = Map.groupBy(events, ({ data }) => data.entry_id);
  expect(ids.size).toBe(10);
  for (const same of ids.values()) expect(new Set(same.map(({ id }) => id)).size).toBe(1);
  expect(new Set(events.map(({ id }) => id)).size).toBe(10);
});

test.each([
  ["120", 2 * MINUTE],
  ["86400000", 6 * HOUR],
  ["soon", 0],
])("a receiver that is busy may ask for a pause (Retry-After: %s), up to six hours", async (retryAfter, pause) => {
  const hooks = await webhookHarness();
  await hooks.receiver.change(429, { "Retry-After": retryAfter });
  await join("ada@example.com");
  await hooks.run();
  const [delivery] = await hooks.deliveries();
  const wait = (delivery?.next_attempt_at ?? 0) - hooks.clock.now;
  expect(wait).toBeGreaterThanOrEqual(pause);
  expect(wait).toBeLessThanOrEqual(Math.max(pause, 6_000));
});

test("a pause holds for all events of the endpoint, and ends early when the owner changes it", async () => {
  const hooks = await webhookHarness();
  const received = async () => (await hooks.receiver.state()).received.length;
  await hooks.receiver.change(429, { "Retry-After": "3600" });
  await addBacklog(hooks.endpointId, 100);
  await hooks.run();
  const asked = await received();
  hooks.clock.now += 59 * MINUTE;
  await hooks.run();
  expect(await received()).toBe(asked);
  await hooks.receiver.change(200);
  const choice = { url: hooks.receiver.url, events: allEvents, has_personal_data: true };
  await changeEndpoint(hooks.db, hooks.endpointId, choice);
  await hooks.run();
  expect(await received()).toBe(100);
});

test("a pause that only a wrong clock can have stored is none", async () => {
  const hooks = await webhookHarness();
  await join("ada@example.com");
  await env.DB.exec(`UPDATE webhook_endpoints SET paused_until = ${hooks.clock.now + 100 * HOUR}`);
  await hooks.run();
  expect(await hooks.receiver.events()).toHaveLength(1);
});

test("a pause may end at a date", async () => {
  const hooks = await webhookHarness();
  const until = new Date(hooks.clock.now + HOUR).toUTCString();
  await hooks.receiver.change(503, { "Retry-After": until });
  await join("ada@example.com");
  await hooks.run();
  expect((await hooks.deliveries())[0]?.next_attempt_at).toBe(Date.parse(until));
});

test("a URL that is not public is not asked, also if it was stored", async () => {
  const hooks = await webhookHarness();
  await env.DB.prepare("UPDATE webhook_endpoints SET url = ?").bind("https://10.0.0.1/hook").run();
  const asked = vi.mocked(globalThis.fetch).mock.calls.length;
  await join("ada@example.com");
  await hooks.run();
  expect(vi.mocked(globalThis.fetch).mock.calls.length).toBe(asked);
  expect(await hooks.deliveries()).toMatchObject([{ ...waits, reason: "address" }]);
});
