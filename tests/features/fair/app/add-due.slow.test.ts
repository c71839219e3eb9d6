import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { revokeDevice } from "#app/features/fair/devices.server.ts";
import { acceptSignUps } from "#app/features/fair/review.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { parseSignUp } from "#app/waitlist/sign-up/entry-fields.server.ts";
import { signUp } from "#app/waitlist/sign-up/sign-up.server.ts";
import { addDue, armedDevice, decided, inbox, withoutJob } from "#tests/features/fair/pool/fair.ts";
import { killedProcess, meteredD1 } from "#tests/support/pool/d1.ts";
import { countingMailer, scheduledApp } from "#tests/support/pool/emails.ts";
import { withSettings } from "#tests/support/pool/settings.ts";
import {
  acceptInserts,
  db,
  execute,
  freshStorageForEachTest,
  join,
  needs,
  refuseInserts,
  rows,
} from "#tests/support/pool/start.ts";

needs("fair");
const log = freshStorageForEachTest();

const ARMED = Date.UTC(2026, 10, 26, 9);
const MINUTE = 60_000;
const NOW = ARMED + 60 * MINUTE;
const DAY = 24 * 60 * MINUTE;

let tablet: Awaited<ReturnType<typeof armedDevice>>;
beforeEach(async () => {
  tablet = await armedDevice({ now: ARMED, event: "Ada’s “Spring” Fair" });
});

const store = (email: string, given: Parameters<typeof tablet.store>[1] = {}) =>
  tablet.store(email, { at: NOW - MINUTE, now: NOW, ...given });

const emails = async () => (await rows("waitlist_emails")).map(({ email }) => email);
const refuseFailing = () => refuseInserts("waitlist_emails", "NEW.email = 'failing@example.com'");
const reasons = async () => (await inbox()).map(({ state, reason }) => reason ?? state);

test("a sign-up gets the time when it was typed, the wording that was shown, the answers and the event's source", async () => {
  const at = NOW - 20 * MINUTE;
  await store("Ada@Example.com ", {
    at,
    consent: "2026-11",
    answers: { role: "host", tent: "nonsense", unknown: "x", gone: "York" },
  });
  const adding = addDue(NOW);
  // The form on the tablet may be older than the questions. A run begins with the settings that it reads.
  withSettings({ retiredQuestions: [{ key: "gone", label: "Town", wording: "Which town?" }] });
  await adding;
  const [entry] = await rows("waitlist_emails");
  expect(entry).toMatchObject({
    email: "ada@example.com",
    source: "ada_s_spring_fair",
    created_at: at,
    consent_at: at,
    consent_version: "2026-11",
    verified: 0,
    answers: '{"role":"host","gone":"York"}',
  });
  expect(JSON.parse(String(entry?.["metadata"]))).toEqual({
    signup_platform: "web",
    signup_date: new Date(at).toISOString(),
  });
  const [email] = await rows("email_outbox");
  expect(email).toMatchObject({
    kind: "welcome",
    priority: 1,
    network: null,
    created_at: NOW,
    next_attempt_at: NOW,
  });
  expect(JSON.parse(String(email?.["data"]))).toEqual({ event: "Ada’s “Spring” Fair", at });
  expect(await inbox()).toEqual([]);
  expect(await decided()).toBe(1);
});

test.each([
  ["has unsubscribed", unsubscribeEntry, ["unsubscribed"]],
  ["was erased", eraseEntry, []],
])("a sign-up that is sent again after it was added does not bring back who %s", async (_, leave, statuses) => {
  const signUp = await tablet.sealed("ada@example.com", { at: NOW - MINUTE });
  await tablet.send([signUp], NOW);
  await addDue(NOW);
  await leave(db, 1, NOW + 1);
  await env.DB.exec("DELETE FROM email_outbox");
  expect((await tablet.send([signUp], NOW + MINUTE)).stored).toEqual([signUp.id]);
  expect(await addDue(NOW + 2 * MINUTE)).toBe(0);
  expect([await inbox(), await rows("email_outbox")]).toEqual([[], []]);
  expect((await rows("waitlist_emails")).map(({ status }) => status)).toEqual(statuses);
});

/** One of each kind: added, held, at its mailbox’s limit, on the list already, and one whose addition fails for now. */
async function storeOneOfEach() {
  await join("here@example.com", { now: ARMED });
  const typed = ["not an address", "ada@gmail.com", "a.da@gmail.com", "ad.a@gmail.com", "a.d.a@gmail.com"];
  for (const [n, email] of [...typed, "here@example.com", "failing@example.com", "bea@example.com"].entries())
    await store(email, { at: ARMED + n });
  await refuseFailing();
}

/** Two runs at once, and those that follow until nothing is left: each is added once, and nothing is ever without a job. */
async function expectAllAdded() {
  expect(await withoutJob()).toEqual([]);
  await Promise.all([addDue(NOW + MINUTE), addDue(NOW + MINUTE)]);
  expect(await withoutJob()).toEqual([]);
  expect(await reasons()).toEqual(["address", "put-off", "put-off"]);
  await acceptInserts();
  await addDue(NOW + 12 * MINUTE);
  await addDue(NOW + DAY + 2 * MINUTE);
  const joined = ["here@example.com", "ada@gmail.com", "a.da@gmail.com", "ad.a@gmail.com", "bea@example.com"];
  expect(await emails()).toEqual([...joined, "failing@example.com", "a.d.a@gmail.com"]);
  expect((await rows("email_outbox")).map(({ entry_id }) => entry_id)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect([await reasons(), await decided()]).toEqual([["address"], 7]);
  expect((await rows("jobs")).filter(({ done_at }) => done_at === null)).toEqual([]);
}

/** One more than a run has. */
const STEPS = 16;
const kills = (["before", "after"] as const).flatMap((when) =>
  Array.from({ length: STEPS }, (_, index) => ({ step: index + 1, when })),
);

test.each(kills)("a run that is killed $when step $step leaves the rest to the next ones", async (kill) => {
  await storeOneOfEach();
  const process = killedProcess(countingMailer().mailer, kill);
  await process.untilDead(addDue(NOW, { d1: process.d1 }));
  expect(process.wasKilled()).toBe(kill.step < STEPS);
  await expectAllAdded();
});

test("what a tablet sends to a run that has read the inbox is added, by that run", async () => {
  await storeOneOfEach();
  let isSent = false;
  const { d1 } = meteredD1(async (statement) => {
    if (isSent || !statement.includes("AS result")) return;
    isSent = true;
    await store("late@example.com");
  });
  await addDue(NOW, { d1 });
  expect(await withoutJob()).toEqual([]);
  expect((await emails()).at(-1)).toBe("late@example.com");
});

test("a sign-up that ends each run that tries it is put off, and the others are added", async () => {
  const poison = await store("poison@example.com", { at: ARMED });
  for (let n = 1; n <= 30; n += 1) {
    const now = NOW + n * MINUTE;
    if (n <= 20) await store(`ada${n}@example.com`, { now });
    const kill = { step: new RegExp(`INSERT INTO fair_sign_ups.*${poison}`, "s"), when: "before" } as const;
    const process = killedProcess(countingMailer().mailer, kill);
    await process.untilDead(addDue(now, { d1: process.d1 }));
    expect(await withoutJob()).toEqual([]);
  }
  expect([await reasons(), await emails()]).toMatchObject([["put-off"], { length: 20 }]);
  await addDue(NOW + DAY);
  expect((await emails()).at(-1)).toBe("poison@example.com");
});

test("one that was put off, held when its tablet was revoked, and accepted is added once", async () => {
  await store("ada@example.com");
  await refuseInserts("email_outbox");
  await addDue(NOW);
  await acceptInserts();
  expect(await revokeDevice(db, tablet.device, NOW + 1)).toBe(true);
  expect(await reasons()).toEqual(["revoked"]);
  await addDue(NOW + DAY);
  expect(await emails()).toEqual([]);
  await acceptSignUps(db, { device: tablet.device, seenAt: NOW + DAY }, NOW + DAY);
  await addDue(NOW + DAY);
  expect([await emails(), await inbox()]).toEqual([["ada@example.com"], []]);
});

const refusingAll = { refusesDisposable: true, disposableDomains: { has: async () => true } };

describe("held for the owner", () => {
  test.each([
    ["a throwaway address, where those are refused", "disposable", { deps: refusingAll }],
    ["what is due once the product has launched", "launched", { vars: { LAUNCH_URL: "https://app.example.com/" } }],
  ])("%s", async (_, reason, options) => {
    await store("ada@example.com");
    await addDue(NOW, options);
    expect([await reasons(), await emails()]).toEqual([[reason], []]);
  });

  test("what cannot be opened", async () => {
    const { sealed } = await tablet.sealed("ada@example.com");
    await store("", { sealed });
    await store("", { sealed: "AAAA" });
    await addDue(NOW);
    expect(await reasons()).toEqual(["unreadable", "unreadable"]);
  });

  test("what a mailbox at its limit has put off for more than three days", async () => {
    for (const spelling of ["ada", "a.da", "ad.a", "a.d.a"]) await store(`${spelling}@gmail.com`);
    await addDue(NOW);
    await env.DB.exec(`UPDATE fair_inbox SET typed_at = ${NOW - 3 * DAY - 1}`);
    await execute("UPDATE jobs SET next_attempt_at = ? WHERE done_at IS NULL", NOW);
    await addDue(NOW);
    expect(await reasons()).toEqual(["mailbox"]);
  });
});

test("no limit by client address, no Turnstile and no pause after bounces applies", async () => {
  for (let n = 0; n < 40; n += 1) await store(`ada${n}@example.com`);
  await env.DB.exec(
    `INSERT INTO email_pauses (scope, reason, until, created_at) VALUES ('unverified', 'sign-up-bounces', NULL, ${NOW})`,
  );
  const refuses = { limit: async () => ({ success: false }) };
  const limits = {
    ...scheduledApp(NOW).limits,
    client: refuses,
    address: refuses,
    strict: refuses,
    unverified: refuses,
  };
  await addDue(NOW, { deps: { limits, turnstile: { verify: () => Promise.reject(new Error("was asked")) } } });
  expect(await emails()).toHaveLength(40);
  expect(new Set((await rows("email_outbox")).map(({ priority }) => priority))).toEqual(new Set([1]));
});

test("the oldest are added first, on the free plan three in a run; a failure holds up none and logs no address", async () => {
  await store("failing@example.com", { at: ARMED });
  for (const n of [3, 1, 5, 2, 4]) await store(`ada${n}@example.com`, { at: ARMED + n });
  await refuseFailing();
  await addDue(NOW, { plan: "free" });
  expect(await emails()).toEqual([1, 2].map((n) => `ada${n}@example.com`));
  await acceptInserts();
  await addDue(NOW + 10 * MINUTE, { plan: "free" });
  expect(await emails()).toHaveLength(5);
  for (const minute of [11, 12]) await addDue(NOW + minute * MINUTE, { plan: "free" });
  expect((await emails()).at(-1)).toBe("failing@example.com");
  expect(log.join("\n")).toContain("fair-sign-up-failed");
  expect(log.join("\n")).not.toContain("@example.com");
});

test("a turn costs a sign-up's rows and four more, however much is due, put off or held", async () => {
  const meter = meteredD1();
  const app = scheduledApp(NOW, { d1: meter.d1 });
  await signUp(app, { ...parseSignUp({ email: "form@example.com" }), clientIp: "192.0.2.1" });
  const ofForm = meter.rowsWritten();
  for (const state of ["due", "put-off", "held"]) {
    const id = await store(`${state}@example.com`);
    await execute("UPDATE fair_inbox SET state = ? WHERE id = ?", state, id);
    await execute(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2000)
      INSERT INTO fair_inbox SELECT id || n, device_id, state, reason, changed_at, typed_at + n, consent_version, sealed
      FROM fair_inbox, numbers WHERE id = ?`,
      id,
    );
  }
  for (const n of [1, 2, 3]) await store(`ada${n}@example.com`, { at: ARMED + n });
  meter.reset();
  await addDue(NOW, { plan: "free", d1: meter.d1 });
  expect(await emails()).toHaveLength(4);
  expect(meter.rowsWritten()).toBe(3 * (ofForm + 2) + 4);
  expect(meter.rowsRead()).toBeLessThan(3 * 27 + 20);
});
