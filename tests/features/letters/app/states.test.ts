import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { cloudflareMailer } from "#app/email/providers/cloudflare/mailer.server.ts";
import { resendMailer } from "#app/email/providers/resend/mailer.server.ts";
import { countAudience } from "#app/features/letters/send/audience.server.ts";
import { startLetter, startScheduled, unscheduleLetter } from "#app/features/letters/send/letter-states.server.ts";
import {
  deleteLetter,
  draftTimes,
  isMissed,
  setLetterPublic,
  updateLetter,
} from "#app/features/letters/send/letters.server.ts";
import { estimateDuration, letterRefusal } from "#app/features/letters/send/sending-limits.ts";
import { planLimits } from "#app/server/config/plan-limits.ts";
import { type LetterAudience, letters } from "#app/server/db/schema/letters.server.ts";
import { addPeople, HOUR, letterHarness, MINUTE, recipients } from "#tests/features/letters/pool/letter-harness.ts";
import { emailBinding } from "#tests/support/pool/emails.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

test("a start needs the present count, somebody to send it to, and a text without problems; of three at once, one starts it", async () => {
  const { draft, audienceDeps, letter } = await letterHarness();
  const id = await draft();
  expect(await startLetter(audienceDeps, id, { count: 0 })).toEqual({ kind: "nobody" });
  await addPeople(3);
  expect(await startLetter(audienceDeps, id, { count: 2 })).toEqual({ kind: "wrong-count", count: 3 });
  expect((await letter(id)).state).toBe("draft");
  const wrong = await draft({ body: "![](http://pictures.example/one.png)" });
  expect(await startLetter(audienceDeps, wrong, { count: 3 })).toEqual({ kind: "has-problems" });
  expect((await letter(wrong)).state).toBe("draft");
  const outcomes = await Promise.all([1, 2, 3].map(() => startLetter(audienceDeps, id, { count: 3 })));
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(["not-a-draft", "not-a-draft", "started"]);
});

test("a schedule can be taken back; a scheduled letter starts at its time, and cannot be changed or deleted before", async () => {
  await addPeople(5);
  const { draft, audienceDeps, letter, sweep, clock, db, accepted } = await letterHarness();
  const [id, other] = [await draft(), await draft()];
  const schedule = { count: 5, at: clock.now + HOUR };
  expect(await startLetter(audienceDeps, id, { ...schedule, at: clock.now - 1 })).toEqual({ kind: "too-early" });
  expect(await startLetter(audienceDeps, id, schedule)).toEqual({ kind: "scheduled" });
  await startLetter(audienceDeps, other, schedule);
  expect([await unscheduleLetter(db, other), await unscheduleLetter(db, other)]).toEqual([true, false]);
  expect(await letter(other)).toMatchObject({ state: "draft", scheduled_for: schedule.at });
  expect(await deleteLetter(db, other)).toBe(true);
  expect(await updateLetter(db, await letter(id), { subject: "Other" }, clock.now)).toBe(false);
  expect(await deleteLetter(db, id)).toBe(false);
  const [added = ""] = await addPeople(1, 6);
  await sweep();
  expect(await accepted()).toEqual([]);
  clock.now += HOUR;
  await sweep();
  expect(await accepted()).toHaveLength(6);
  expect(await accepted()).toContain(added);
  expect(await letter(id)).toMatchObject({ state: "finished", expected: 6 });
});

test("a schedule that was taken back is not missed, and its time is kept through changes until it has passed", async () => {
  await addPeople(1);
  const { draft, audienceDeps, letter, clock, db } = await letterHarness();
  const id = await draft();
  const at = clock.now + HOUR;
  await startLetter(audienceDeps, id, { count: 1, at });
  expect(await unscheduleLetter(db, id)).toBe(true);
  await updateLetter(db, await letter(id), { subject: "Other" }, clock.now + 1);
  expect(draftTimes(await letter(id))).toEqual({ missed: null, cancelled: at });
  const missed = () => db.select({ id: letters.id }).from(letters).where(isMissed);
  await startScheduled({ ...audienceDeps, now: () => at + 2 * HOUR });
  expect([(await letter(id)).state, await missed()]).toEqual(["draft", []]);
  await updateLetter(db, await letter(id), { subject: "Late" }, at);
  expect(draftTimes(await letter(id))).toEqual({ missed: null, cancelled: null });

  const late = await draft();
  await startLetter(audienceDeps, late, { count: 1, at });
  await startScheduled({ ...audienceDeps, now: () => at + HOUR + 1 });
  expect([draftTimes(await letter(late)), await missed()]).toEqual([{ missed: at, cancelled: null }, [{ id: late }]]);
});

test("a schedule missed by more than an hour asks again", async () => {
  await addPeople(1);
  const { draft, audienceDeps, letter, clock } = await letterHarness();
  const id = await draft();
  const at = clock.now + HOUR;
  await startLetter(audienceDeps, id, { count: 1, at });
  await startScheduled({ ...audienceDeps, now: () => at + HOUR + 1 });
  expect(await letter(id)).toMatchObject({ state: "draft", scheduled_for: at, started_at: null });
  await startLetter(audienceDeps, id, { count: 1, at });
  await startScheduled({ ...audienceDeps, now: () => at + HOUR - 1 });
  expect((await letter(id)).state).toBe("sending");
});

test("a letter is made public and private again in any state; its emails link to the page it had at the start", async () => {
  await addPeople(1);
  const { draft, audienceDeps, letter, sweep, resend, db } = await letterHarness();
  const id = await draft();
  expect(await setLetterPublic(db, id, true)).toBe(true);
  expect(await setLetterPublic(db, id, true)).toBe(false);
  await startLetter(audienceDeps, id, { count: 1 });
  expect(await setLetterPublic(db, id, false)).toBe(true);
  await sweep();
  expect(await letter(id)).toMatchObject({ is_public: false, has_web_link: true });
  const links = (await resend.state()).accepted.flatMap((email) => email.links);
  expect(links).toContain(`https://waitlist-site.example/letters/${id}`);
});

test("nobody who left, is suppressed or has yet to confirm is in an audience", async () => {
  await addPeople(6);
  const { audienceDeps, clock } = await letterHarness();
  await env.DB.exec("UPDATE waitlist_emails SET status = 'unsubscribed' WHERE id = 1");
  await env.DB.exec("UPDATE waitlist_emails SET confirm_by = 1 WHERE id = 2");
  await env.DB.exec("UPDATE waitlist_emails SET confirm_by = 1, confirmed_at = 1 WHERE id = 3");
  const suppress = "INSERT INTO suppressions SELECT address_hash, 'hard-bounce',";
  await env.DB.exec(`${suppress} NULL, 0 FROM waitlist_emails WHERE id = 4`);
  await env.DB.exec(`${suppress} ${clock.now}, 0 FROM waitlist_emails WHERE id = 5`);
  // Persons 3, 5 (whose suppression has ended) and 6.
  expect(await countAudience(audienceDeps, { filter: {} })).toBe(3);
});

test("audiences: by filter, the first so many, not yet invited, and not sent an earlier letter", async () => {
  await addPeople(10);
  await env.DB.exec(`UPDATE waitlist_emails SET answers = '{"role":"stallholder"}' WHERE id > 4`);
  const { start, sweep, accepted, audienceDeps } = await letterHarness();
  const count = (audience: LetterAudience) => countAudience(audienceDeps, audience);
  const stallholders = { filter: { answers: { role: "stallholder" }, invited: false } as const };
  expect(await count(stallholders)).toBe(6);
  const first = await start({ is_invitation: true, audience: { ...stallholders, first: 4 } });
  await sweep();
  expect(await accepted()).toEqual([5, 6, 7, 8].map((n) => `person${n}@example.com`));
  expect(await count(stallholders)).toBe(2);
  expect(await count({ filter: {}, notSentLetter: first })).toBe(6);
  expect(await count({ filter: {}, sentLetter: first })).toBe(4);
  expect(await count({ filter: { invited: false }, first: 3 })).toBe(3);
  const second = await start({ is_invitation: true, audience: { ...stallholders, first: 100 } });
  await sweep();
  expect((await recipients()).filter(({ letter_id }) => letter_id === second).map(({ entry_id }) => entry_id)).toEqual([
    9, 10,
  ]);
});

test.each([
  ["sent", 1, 2],
  ["failed", 0, 3],
  ["skipped", 0, 3],
  ["pending", 0, 2],
  ["unknown", 0, 2],
])(
  "someone whose copy of a letter is %s is among those sent it, or not sent it, or neither",
  async (state, sent, notSent) => {
    await addPeople(3);
    const { draft, audienceDeps } = await letterHarness();
    const id = await draft();
    await env.DB.exec(
      `INSERT INTO letter_recipients (letter_id, position, entry_id, state) VALUES (${id}, 0, 1, '${state}')`,
    );
    expect(await countAudience(audienceDeps, { filter: {}, sentLetter: id })).toBe(sent);
    expect(await countAudience(audienceDeps, { filter: {}, notSentLetter: id })).toBe(notSent);
    expect(await countAudience(audienceDeps, { filter: {}, sentLetter: id, notSentLetter: id })).toBe(0);
  },
);

test("letters are refused where they cannot be sent, and allowed on a local site", () => {
  const from = "pioneers@waitlist-site.example";
  const { binding } = emailBinding();
  const deployed = {
    siteUrl: "https://stalls.example",
    plan: planLimits.paid,
    mailer: resendMailer({ apiKey: "re_test", from }),
  } as const;
  expect(letterRefusal(deployed)).toBeNull();
  expect(letterRefusal({ ...deployed, plan: planLimits.free })).toContain("WORKERS_PLAN");
  expect(letterRefusal({ ...deployed, mailer: cloudflareMailer(binding, from) })).toContain("RESEND_API_KEY");
  expect(letterRefusal({ ...deployed, mailer: null })).toContain("MAIL_FROM");
  const mailer = cloudflareMailer(binding, from, { isLocal: true });
  const local = { siteUrl: "http://localhost:8787", plan: planLimits.free, mailer } as const;
  expect(letterRefusal(local)).toBeNull();
  expect(mailer.batch).toBeDefined();
});

test("the estimate follows the rate limit, the send limit and the first pause", () => {
  // 4.6 of 5 requests a second, of 100 recipients each, for 55 of 60 seconds.
  expect(estimateDuration(1_000, { perHour: 1_000_000 })).toBeCloseTo((10 / 4.6) * 1_000, -1);
  expect(estimateDuration(1_100, { perHour: 1_000_000 })).toBeCloseTo(30 * MINUTE + (11 / 4.6) * 1_000, -1);
  expect(estimateDuration(100_000, { perHour: 1_000_000 })).toBeGreaterThan(30 * MINUTE + 3.8 * MINUTE);
  expect(estimateDuration(100_000, { perHour: 1_000_000 })).toBeLessThan(30 * MINUTE + 4.1 * MINUTE);
  // Three quarters of 500 are three batches an hour.
  expect(estimateDuration(900, { perHour: 500 })).toBe(2 * HOUR);
});
