import { expect, test } from "vitest";
import { listEndpoints } from "#app/features/webhooks/endpoints.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { addBacklog, MINUTE, webhookHarness } from "#tests/features/webhooks/pool/webhook-harness.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { emailBinding, scheduledApp } from "#tests/support/pool/emails.ts";
import { emptyDatabase, freshStorageForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

needs("webhooks");
freshStorageForEachTest();

/** A minute in which the cron job deletes nothing old, after now. */
const quietMinute = new Date(Date.now() + 60 * MINUTE).setUTCMinutes(10);

/** What a sign-up, a sweep of emails and a run of webhooks read and take, beside events that wait for a dead receiver. */
async function costsBeside(waiting: number) {
  await emptyDatabase();
  const dead = await webhookHarness(503);
  await addBacklog(dead.endpointId, waiting);
  for (let runs = 0; runs < 2; runs += 1, dead.clock.now += 2 * MINUTE) await dead.run({ plan: "free" });
  const healthy = await webhookHarness();
  healthy.clock.now = dead.clock.now;
  await addBacklog(healthy.endpointId, 10);
  const measure = async (name: string, work: (d1: D1Database) => Promise<unknown>) => {
    const meter = meteredD1();
    await work(meter.d1);
    return { name, read: meter.rowsRead(), written: meter.rowsWritten() };
  };
  const ada = { email: "ada@example.com", source: "x", columns: {}, now: Date.now() };
  await join("bob@example.com");
  const costs = [
    await measure("sign-up", (d1) => addEntry(openDb(d1), ada)),
    await measure("email", (d1) => runScheduled(scheduledApp(quietMinute, { binding: emailBinding().binding, d1 }))),
    await measure("webhooks", (d1) => healthy.run({ plan: "free", d1 })),
  ];
  expect(await rows("email_outbox")).toMatchObject(Array(2).fill({ done_at: expect.any(Number), dead_at: null }));
  // The events of the sign-ups too.
  expect(await healthy.receiver.count()).toBe(12);
  return costs;
}

test("100,000 events that wait for a dead receiver make nothing else dearer", async () => {
  await costsBeside(20);
  const few = await costsBeside(20);
  const many = await costsBeside(100_000);
  for (const [index, { name, read, written }] of many.entries()) {
    const without = few[index] ?? { read: 0, written: 0 };
    expect([name, read - without.read, written - without.written]).toEqual([name, 0, 0]);
  }
});

test("the page of the endpoints stops counting at 1,000, and reads little more", async () => {
  const hooks = await webhookHarness();
  await addBacklog(hooks.endpointId, 100_000);
  const meter = meteredD1();
  expect(await listEndpoints(openDb(meter.d1))).toMatchObject([{ waiting: 1_001, failed: 0 }]);
  expect(meter.rowsRead()).toBeLessThan(3_000);
});
