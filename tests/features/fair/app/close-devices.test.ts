import { env } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { closeDevices } from "#app/features/fair/devices.server.ts";
import { addJob } from "#app/server/queue.server.ts";
import { armedDevice, newDevice } from "#tests/features/fair/pool/fair.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { scheduledApp } from "#tests/support/pool/emails.ts";
import { db, execute, freshDatabaseForEachTest, needs, rows } from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

needs("fair");
freshDatabaseForEachTest();

const ARMED = Date.UTC(2026, 10, 26, 9);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const END = ARMED + DAY;

let tablet: Awaited<ReturnType<typeof armedDevice>>;
beforeEach(async () => {
  tablet = await armedDevice({ now: ARMED });
});

/** Whether the device is closed, after the step has run at a time. */
async function isClosedAt(now: number): Promise<boolean> {
  await closeDevices(db, now);
  const { closed_at, private_key } = await tablet.row();
  expect(private_key === null).toBe(closed_at !== null);
  return closed_at !== null;
}

test.each([
  ["it has expired", END, null],
  ["it was revoked", ARMED + MINUTE, ARMED + MINUTE],
])("a device is closed once %s, its tablet has closed its form, and nothing waits", async (_, end, revokedAt) => {
  await execute("UPDATE fair_devices SET revoked_at = ?", revokedAt);
  // Its answer may have been lost.
  await tablet.send([], end, 0, false);
  expect(await isClosedAt(end + MINUTE)).toBe(false);
  await tablet.send([], end, 2, true);
  expect(await isClosedAt(end + MINUTE)).toBe(false);
  await tablet.send([], end + MINUTE, 0, true);
  const job = { kind: "fair" as const, next_attempt_at: end };
  for (const subject of [tablet.device, 99]) await addJob(db, { ...job, subject }, sql`1`);
  expect(await isClosedAt(end + MINUTE)).toBe(true);
  expect(await rows("jobs")).toMatchObject([{ subject: 99 }]);
});

test("a device stays while something of it is in the inbox, and 30 days if its tablet is never seen again", async () => {
  await tablet.store("ada@example.com", { now: END });
  expect(await isClosedAt(END + 31 * DAY)).toBe(false);
  await env.DB.exec("DELETE FROM fair_inbox");
  await env.DB.exec(`UPDATE fair_devices SET waiting = 5`);
  expect(await isClosedAt(END + 30 * DAY - 1)).toBe(false);
  expect(await isClosedAt(END + 30 * DAY)).toBe(true);
});

test("a device whose code was never scanned is closed at its end", async () => {
  await env.DB.exec("DELETE FROM fair_devices");
  await newDevice({ now: ARMED });
  await closeDevices(db, END - 1);
  expect(await rows("fair_devices")).toMatchObject([{ closed_at: null, private_key: expect.any(String) }]);
  await closeDevices(db, END);
  expect(await rows("fair_devices")).toMatchObject([{ closed_at: END, private_key: null }]);
});

const closing = /^update "fair_devices"|^delete from "(fair_sign_ups|jobs)"/;

test("the cron job does so once an hour, and then reads nothing of a device that stays, nor other jobs", async () => {
  const meter = meteredD1();
  const insert = env.DB.prepare("INSERT INTO fair_sign_ups VALUES (?, ?)");
  await env.DB.batch(Array.from({ length: 100 }, (_, n) => insert.bind(String(n), tablet.device)));
  await env.DB.exec(
    "INSERT INTO jobs (kind, subject, next_attempt_at, created_at, done_at) SELECT 'webhook', 1, 0, 0, 1 FROM fair_sign_ups",
  );
  await runScheduled(scheduledApp(END, { d1: meter.d1 }));
  expect(meter.matching(closing)).toEqual([]);
  await runScheduled(scheduledApp(END + 30 * MINUTE, { d1: meter.d1 }));
  const executed = meter.executed.filter(({ sql }) => closing.test(sql));
  expect(executed).toHaveLength(3);
  expect(executed.reduce((sum, { rowsRead }) => sum + rowsRead, 0)).toBeLessThan(10);
});
