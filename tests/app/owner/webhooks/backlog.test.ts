import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { listEndpoints } from "#app/owner/webhooks/endpoints.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { emailBinding, scheduledApp } from "#tests/support/pool/emails.ts";
import { freshStorageForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";
import { addBacklog, HOUR, webhookHarness } from "#tests/support/pool/webhook-harness.ts";
import { runScheduled } from "#worker/scheduled.ts";

needs("webhooks");
freshStorageForEachTest();

const BACKLOG = 100_000;

test.each([200, "close"] as const)(
  "with 100,000 events that wait for a receiver (%s), email is sent as ever, and a run of webhooks reads few rows",
  async (manner) => {
    const hooks = await webhookHarness(manner);
    await addBacklog(hooks.endpointId, BACKLOG);
    await join("ada@example.com");
    const signUp = meteredD1();
    await addEntry(openDb(signUp.d1), { email: "bob@example.com", source: "x", columns: {}, now: Date.now() });
    // As without a backlog, with two for the event.
    expect(signUp.rowsWritten()).toBeLessThanOrEqual(12);
    expect(signUp.rowsRead()).toBeLessThan(100);
    const meter = meteredD1();
    const run = hooks.run({ plan: "free", d1: meter.d1 });
    await runScheduled(scheduledApp(hooks.clock.now, { binding: emailBinding().binding }));
    expect(await rows("email_outbox")).toMatchObject([
      { sent_at: expect.any(Number), dead_at: null },
      { sent_at: expect.any(Number), dead_at: null },
    ]);
    await run;
    expect(meter.executed.length).toBeGreaterThan(2);
    expect(meter.rowsRead()).toBeLessThan(1_000);
    expect(meter.rowsWritten()).toBeLessThan(200);
  },
);

test("the page of the endpoints stops counting at 1,000, and reads little more", async () => {
  const hooks = await webhookHarness();
  await addBacklog(hooks.endpointId, BACKLOG);
  const meter = meteredD1();
  const endpoints = await listEndpoints(openDb(meter.d1));
  expect(endpoints).toMatchObject([{ waiting: 1_001, failed: 0, last_delivered_at: null, due_since: 0 }]);
  expect(meter.rowsRead()).toBeLessThan(3_000);
});

test("100,000 events of a receiver that stays down end as failed, a part in each run", async () => {
  const hooks = await webhookHarness("close");
  await addBacklog(hooks.endpointId, BACKLOG);
  hooks.clock.now += 80 * HOUR;
  for (let runs = 0; runs < 3; runs += 1) await hooks.run();
  const { results } = await env.DB.prepare(
    "SELECT count(*) AS dead FROM webhook_deliveries WHERE dead_at IS NOT NULL AND reason = 'too-late'",
  ).all<{ dead: number }>();
  expect(results[0]?.dead).toBe(6_000);
});
