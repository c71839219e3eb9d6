import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { eraseEntry } from "#app/waitlist/erase-entries.server.ts";
import { addDue } from "#app/waitlist/fair/add-due.server.ts";
import { type Kill, killedProcess } from "#tests/support/pool/d1.ts";
import { countingMailer, scheduledApp } from "#tests/support/pool/emails.ts";
import { armedDevice, decided, inbox } from "#tests/support/pool/fair.ts";
import { db, freshStorageForEachTest, join, needs, refuseInserts, rows } from "#tests/support/pool/start.ts";

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

interface Run {
  now?: number;
  plan?: "free" | "paid";
  d1?: D1Database;
  vars?: object;
  subrequests?: number;
}

/** The step of one run of the cron job. */
function run({ now = NOW, plan = "paid", d1 = env.DB, vars = {}, subrequests = 900 }: Run = {}) {
  return addDue(scheduledApp(now, { d1, vars }), plan, { subrequests, until: now + MINUTE });
}

const outbox = async () => (await rows("email_outbox")).map(({ kind, entry_id }) => `${kind} ${entry_id}`);

test("a sign-up gets the time when it was typed, the wording that was shown, the answers and the event's source", async () => {
  const at = NOW - 20 * MINUTE;
  await store("Ada@Example.com ", {
    at,
    consent: "2026-11",
    answers: { role: "host", tent: "nonsense", unknown: "x" },
  });
  expect(await run()).toBe(1);
  const [entry] = await rows("waitlist_emails");
  expect(entry).toMatchObject({
    email: "ada@example.com",
    source: "spring_fair",
    created_at: at,
    consent_at: at,
    consent_version: "2026-11",
    verified: 0,
    answers: '{"role":"host"}',
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

test("someone on the list already is added no second time, and gets no email", async () => {
  await join("ada@example.com", { now: ARMED });
  await store("ada@example.com");
  expect(await run()).toBe(1);
  expect(await rows("waitlist_emails")).toMatchObject([{ source: "landing_page", created_at: ARMED }]);
  expect(await outbox()).toEqual(["welcome 1"]);
  expect([await inbox(), await decided()]).toEqual([[], 1]);
});

test("a former subscriber is asked, with where and when, and not put back", async () => {
  const id = await join("ada@example.com", { now: ARMED });
  await unsubscribeEntry(db, id, NOW - 10 * MINUTE);
  await store("ada@example.com");
  await run();
  expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }]);
  const rejoin = (await rows("email_outbox")).find(({ kind }) => kind === "rejoin");
  expect(JSON.parse(String(rejoin?.["data"]))).toMatchObject({ at: NOW - MINUTE });
});

describe("the same sign-up sent again after it was added", () => {
  const resend = async (change: (id: number) => Promise<unknown>) => {
    const signUp = await tablet.sealed("ada@example.com", { at: NOW - MINUTE });
    await tablet.send([signUp], NOW);
    await run();
    await change(1);
    await env.DB.exec("DELETE FROM email_outbox");
    expect((await tablet.send([signUp], NOW + MINUTE)).stored).toEqual([signUp.id]);
    expect(await run({ now: NOW + 2 * MINUTE })).toBe(0);
    expect([await inbox(), await outbox()]).toEqual([[], []]);
  };

  test("does not bring back or email someone who has unsubscribed", async () => {
    await resend((id) => unsubscribeEntry(db, id, NOW + 1));
    expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }]);
  });

  test("does not bring back someone whose entry was erased", async () => {
    await resend((id) => eraseEntry(db, id, NOW + 1));
    expect(await rows("waitlist_emails")).toEqual([]);
  });
});

test("two runs at once add each sign-up once", async () => {
  for (const n of [1, 2, 3, 4, 5]) await store(`ada${n}@example.com`);
  await Promise.all([run(), run()]);
  expect(await rows("waitlist_emails")).toHaveLength(5);
  expect(await rows("email_outbox")).toHaveLength(5);
  expect([await inbox(), await decided()]).toEqual([[], 5]);
});

const kills = (["before", "after"] as const).flatMap((when) => [1, 2, 3, 4, 5].map((step) => ({ step, when })));

test.each(kills)("a run that is killed $when step $step leaves the rest to the next one", async (kill: Kill) => {
  for (const n of [1, 2, 3]) await store(`ada${n}@example.com`, { at: NOW - n * MINUTE });
  await store("not an address", { at: NOW - 4 * MINUTE });
  const process = killedProcess(countingMailer().mailer, kill);
  await process.untilDead(run({ d1: process.d1 }));
  expect(process.wasKilled()).toBe(true);
  await run({ now: NOW + MINUTE });
  const added = (await rows("waitlist_emails")).map(({ email }) => email);
  expect(added).toEqual(["ada3@example.com", "ada2@example.com", "ada1@example.com"]);
  expect(await outbox()).toEqual(["welcome 1", "welcome 2", "welcome 3"]);
  expect(await inbox()).toMatchObject([{ state: "held", reason: "address" }]);
});

describe("held for the owner", () => {
  const reasons = async () => (await inbox()).map(({ state, reason }) => [state, reason]);

  test("a throwaway address, where those are refused", async () => {
    await store("ada@throwaway.example");
    const app = scheduledApp(NOW);
    const deps = { ...app, refusesDisposable: true, disposableDomains: { has: async () => true } };
    await addDue(deps, "paid", { subrequests: 900, until: NOW + MINUTE });
    expect(await reasons()).toEqual([["held", "disposable"]]);
  });

  test("what cannot be opened", async () => {
    const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
    const { sealed } = await tablet.sealed("ada@example.com", { id: one });
    await store("", { id: two, sealed });
    await store("", { sealed: "AAAA" });
    await run();
    expect(await reasons()).toEqual([
      ["held", "unreadable"],
      ["held", "unreadable"],
    ]);
  });

  test("what is due once the product has launched", async () => {
    await store("ada@example.com");
    await run({ vars: { LAUNCH_URL: "https://app.example.com/" } });
    expect(await reasons()).toEqual([["held", "launched"]]);
    expect(await rows("waitlist_emails")).toEqual([]);
  });
});

test("a mailbox at its daily limit is due again a day after its first email", async () => {
  for (const spelling of ["ada", "a.da", "ad.a", "a.d.a"]) await store(`${spelling}@gmail.com`);
  expect(await run()).toBe(3);
  expect(await inbox()).toMatchObject([{ state: "due", due_at: NOW + DAY }]);
  expect([await decided(), await run({ now: NOW + DAY - 1 })]).toEqual([3, 0]);
  expect(await run({ now: NOW + DAY })).toBe(1);
  expect(await rows("waitlist_emails")).toHaveLength(4);
});

test("one that is put off for more than three days because of its mailbox waits for the owner", async () => {
  for (const tag of [1, 2, 3, 4, 5]) await store(`ada+${tag}@example.com`);
  await run();
  const [first, ...others] = await inbox();
  expect(others.every(({ state }) => state === "due")).toBe(true);
  await env.DB.exec("DELETE FROM fair_sign_ups");
  await env.DB.exec(`UPDATE fair_inbox SET typed_at = ${NOW - 3 * DAY - 1}, due_at = ${NOW} WHERE id = '${first?.id}'`);
  await run();
  expect((await inbox()).filter(({ state }) => state === "held")).toMatchObject([{ id: first?.id, reason: "mailbox" }]);
});

test("no limit by client address, no Turnstile and no pause after bounces applies", async () => {
  for (let n = 0; n < 40; n += 1) await store(`ada${n}@example.com`);
  await env.DB.exec(`INSERT INTO email_pauses VALUES ('sign-up-bounces', ${NOW + DAY}, ${NOW})`);
  const app = scheduledApp(NOW);
  const refuses = { limit: async () => ({ success: false }) };
  const limits = { ...app.limits, client: refuses, address: refuses, strict: refuses, unverified: refuses };
  const turnstile = { verify: () => Promise.reject(new Error("was asked")) };
  expect(await addDue({ ...app, limits, turnstile }, "paid", { subrequests: 900, until: NOW + MINUTE })).toBe(40);
  expect(new Set((await rows("email_outbox")).map(({ priority }) => priority))).toEqual(new Set([1]));
});

test("a failed addition is tried again later, and holds up no other", async () => {
  await store("ada@example.com");
  await refuseInserts("email_outbox");
  expect(await run()).toBe(0);
  expect(await rows("waitlist_emails")).toEqual([]);
  expect(await inbox()).toMatchObject([{ state: "due", due_at: NOW + 10 * MINUTE }]);
  await env.DB.exec("DROP TRIGGER refused");
  await store("bea@example.com");
  expect(await run()).toBe(1);
  expect(await run({ now: NOW + 10 * MINUTE })).toBe(1);
  expect(log.join("\n")).not.toContain("@example.com");
});
