import { env } from "cloudflare:test";
import { beforeEach, expect, test } from "vitest";
import { parseSignUp } from "#app/waitlist/entry-fields.server.ts";
import { addDue } from "#app/waitlist/fair/add-due.server.ts";
import { signUp } from "#app/waitlist/sign-up.server.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { scheduledApp } from "#tests/support/pool/emails.ts";
import { armedDevice } from "#tests/support/pool/fair.ts";
import { freshStorageForEachTest, needs, rows } from "#tests/support/pool/start.ts";

needs("fair");
freshStorageForEachTest();

const ARMED = Date.UTC(2026, 10, 26, 9);
const MINUTE = 60_000;
const NOW = ARMED + 60 * MINUTE;

let tablet: Awaited<ReturnType<typeof armedDevice>>;
beforeEach(async () => {
  tablet = await armedDevice({ now: ARMED });
});

const store = (email: string, given: Parameters<typeof tablet.store>[1] = {}) =>
  tablet.store(email, { at: NOW - MINUTE, now: NOW, ...given });

/** The step of one run of the cron job. */
function run({ plan = "paid" as "free" | "paid", d1 = env.DB, subrequests = 900 } = {}) {
  return addDue(scheduledApp(NOW, { d1 }), plan, { subrequests, until: NOW + MINUTE });
}

test("the oldest are added first, and as many as the plan and the run allow", async () => {
  for (const n of [3, 1, 5, 2, 4, 6]) await store(`ada${n}@example.com`, { at: ARMED + n });
  expect(await run({ plan: "free" })).toBe(4);
  expect((await rows("waitlist_emails")).map(({ email }) => email)).toEqual(
    [1, 2, 3, 4].map((n) => `ada${n}@example.com`),
  );
  expect(await run({ plan: "free", subrequests: 15 })).toBe(1);
  expect(await run({ plan: "free", subrequests: 14 })).toBe(0);
  expect(await run({ plan: "free", subrequests: 0 })).toBe(0);
});

test("a run reads only what it adds, however much is due or was put off", async () => {
  await store("ada@example.com");
  await env.DB.exec(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2000) INSERT INTO fair_inbox SELECT n, device_id, state, reason, due_at, typed_at + n, consent_version, sealed FROM fair_inbox, numbers`,
  );
  const meter = meteredD1();
  await run({ plan: "free", d1: meter.d1 });
  expect(meter.rowsRead()).toBeLessThan(4 * 27);
  await env.DB.exec(`UPDATE fair_inbox SET due_at = ${NOW + MINUTE}`);
  meter.reset();
  await run({ plan: "free", d1: meter.d1 });
  expect([meter.executed.length, meter.rowsRead()]).toEqual([1, 2]);
});

test("a sign-up writes as many rows as one of the form does, and two more", async () => {
  const meter = meteredD1();
  const app = scheduledApp(NOW, { d1: meter.d1 });
  await signUp(app, { ...parseSignUp({ email: "bea@example.com" }), clientIp: "192.0.2.1" });
  const ofForm = meter.rowsWritten();
  await store("ada@example.com");
  meter.reset();
  await run({ d1: meter.d1 });
  expect(meter.executed).toHaveLength(10);
  expect(meter.rowsWritten()).toBe(ofForm + 2);
  expect(meter.rowsRead()).toBe(27);
});
