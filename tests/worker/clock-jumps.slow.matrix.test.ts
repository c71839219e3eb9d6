import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import type { ProviderMailer, SendOutcome } from "#app/email/mailer.server.ts";
import { readSession, startSession } from "#app/owner/sign-in/session.server.ts";
import { ownerId } from "#app/server/owners.server.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { signDataToken, verifyDataToken } from "#app/waitlist/my-data/token.server.ts";
import { readAnswerToken } from "#app/waitlist/questions/answer-token.server.ts";
import { answerTokenOf } from "#tests/support/pool/answer-token.ts";
import { notificationHarness, scheduledApp } from "#tests/support/pool/emails.ts";
import { freshDatabaseForEachTest, rows, sampleCases } from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

freshDatabaseForEachTest();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 10, 23, 12);

const jumps = [
  ["an hour", HOUR],
  ["a day", DAY],
  ["ten years", 3_652 * DAY],
] as const;

/** A site whose clock can be wrong, and a provider whose clock is right and which remembers keys for a day. */
function jumpingSite() {
  const real = { now: START };
  const clock = { ahead: 0 };
  const keys = new Map<string, number>();
  const accepted = new Map<string, number>();
  const state: { answer: "accepts" | "is silent" | "has no quota" } = { answer: "accepts" };
  const mailer: ProviderMailer = {
    provider: "A test",
    description: "A test",
    keyLifetime: DAY,
    async send({ to }, key): Promise<SendOutcome> {
      if (state.answer === "has no quota") {
        return { state: "later", scope: "all", reason: "daily-quota", retryAfter: null, detail: "" };
      }
      if ((keys.get(key) ?? 0) + DAY <= real.now) accepted.set(to, (accepted.get(to) ?? 0) + 1);
      keys.set(key, real.now);
      return state.answer === "accepts"
        ? { state: "sent" }
        : { state: "unknown", reason: "timed-out", detail: "accepted, but the response was lost" };
    },
  };
  const app = () => ({ ...scheduledApp(real.now + clock.ahead), mailer, emailsPerHour: 3 });
  return {
    clock,
    accepted,
    state,
    app,
    join: (name: string) => {
      const { db, now } = app();
      return addEntry(db, { email: `${name}@example.com`, source: "landing_page", columns: {}, now: now() });
    },
    /** Lets time pass, with the first and the last run of the cron job in each hour, and others now and then. */
    async pass(time: number, others = [1, 30]) {
      const minutes = [0, ...others, 59];
      for (const end = real.now + time; real.now < end; real.now += MINUTE)
        if (minutes.includes(new Date(real.now).getUTCMinutes())) await runScheduled(app());
    },
  };
}

type Row = { kind: string; sent_at: number | null; reason: string | null };

describe.each(sampleCases(jumps))("a clock that was wrong by %s", (_, jump) => {
  test.each([
    ["ahead", jump],
    ["behind", -jump],
  ])("(%s) sends no email twice and keeps none waiting", async (_, ahead) => {
    const site = jumpingSite();
    const { clock, accepted, state } = site;
    await site.join("before");
    await site.pass(HOUR);
    clock.ahead = ahead;
    for (const name of ["one", "two"]) await site.join(name);
    await site.pass(2 * MINUTE);
    state.answer = "is silent";
    await site.join("silent");
    await site.pass(MINUTE);
    state.answer = "has no quota";
    await site.join("quota");
    await site.pass(HOUR);
    state.answer = "accepts";
    clock.ahead = 0;
    await site.join("after");
    // Until the quota renews by the wrong clock, unless that is longer than a quota lasts.
    if (jump <= DAY) await site.pass(jump + DAY, []);
    await site.pass(2 * HOUR, [1, 20, 40]);
    const names = ["before", "one", "two", "silent", "quota", "after"];
    expect(Object.fromEntries(accepted)).toEqual(Object.fromEntries(names.map((name) => [`${name}@example.com`, 1])));
    const unsent = (await rows<Row>("email_outbox")).filter(({ sent_at }) => sent_at === null);
    for (const { reason } of unsent) expect(reason).toBe("outcome-unknown");
    expect(unsent.length).toBeLessThanOrEqual(1);
  });

  test("ends sessions and links that it issued ahead of time, and leaves none valid for longer than usual", async () => {
    const owner = { id: await ownerId("ada@example.com"), email: "ada@example.com" };
    const site = { ...scheduledApp(START), owners: [owner], linkSecrets: ["secret"] };
    const ahead = START + jump;
    const cookie = await startSession({ ...site, now: () => ahead }, owner);
    const link = await signDataToken(1, ahead, "secret");
    const answers = await answerTokenOf(1, ahead, "secret");
    expect(await readSession(site, cookie.split(";")[0])).toBeNull();
    expect(await readAnswerToken(answers, { ...site, hashKey: env.HASH_KEY, now: () => START })).toBeNull();
    expect(await verifyDataToken(link, ["secret"], START)).toEqual({ entryId: 1, expired: jump > 30 * DAY });
    expect(await readSession(site, (await startSession(site, owner)).split(";")[0])).not.toBeNull();
  });

  test("does not count what it did ahead of time against the three emails a day of a mailbox", async () => {
    const { db } = scheduledApp(START);
    const person = { source: "landing_page", columns: {}, mailboxHash: "a-mailbox" };
    const joinAt = (name: string, now: number) => addEntry(db, { ...person, email: `${name}@example.com`, now });
    for (const name of ["one", "two", "three"]) await joinAt(name, START + jump);
    expect((await joinAt("four", START + jump)).kind).toBe("limited");
    expect((await joinAt("four", START)).kind).toBe("new");
  });

  test("does not end the owner's digests and alerts", async () => {
    const { clock, join, runNotifications, subjects, markDead } = notificationHarness({ timeZone: "UTC" });
    const happens = async (name: string) => {
      for (const person of [`${name}1`, `${name}2`]) await join(`${person}@example.com`);
      await markDead(1, "rejected");
      clock.now += 2 * MINUTE;
      await runNotifications();
      clock.now += MINUTE;
      await runNotifications();
    };
    clock.now = START + jump - DAY;
    await join("first@example.com");
    clock.now = START + jump;
    await happens("ahead");
    const before = subjects().length;
    expect(before).toBeGreaterThan(0);
    clock.now = START;
    await happens("back");
    clock.now = START + DAY;
    await happens("later");
    clock.now = START + 2 * DAY;
    await runNotifications();
    clock.now += MINUTE;
    await runNotifications();
    const after = subjects().slice(before);
    expect(after.filter((subject) => subject === "emails are failing")).toHaveLength(2);
    expect(after.filter((subject) => subject?.endsWith("people joined")).length).toBeGreaterThan(0);
  });
});
