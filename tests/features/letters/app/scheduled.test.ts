import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { readAudienceNow } from "#app/features/letters/send/audience.server.ts";
import {
  mostPeople,
  startForPresent,
  startLetter,
  startScheduled,
  unscheduleLetter,
} from "#app/features/letters/send/letter-states.server.ts";
import { readLetterStats } from "#app/features/letters/send/letter-stats.server.ts";
import type { LetterAudience } from "#app/server/db/schema/letters.server.ts";
import { addPeople, HOUR, letterHarness, MINUTE, recipients } from "#tests/features/letters/pool/letter-harness.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { explain, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

/* Who gets a letter for a later time, and when it asks its owner again. */

freshDatabaseForEachTest();

/** A letter that was confirmed for so many people and whose time comes in an hour. */
async function scheduled(count: number, audience: LetterAudience = { filter: {} }, d1: D1Database = env.DB) {
  const { draft, ...harness } = await letterHarness({ d1 });
  const id = await draft({ audience });
  await startLetter(harness.audienceDeps, id, { count, at: harness.clock.now + HOUR });
  return {
    ...harness,
    id,
    letter: () => harness.letter(id),
    async atItsTime() {
      harness.clock.now += HOUR;
      await harness.sweep();
      return harness.letter(id);
    },
  };
}

const leave = (first: number, last: number) =>
  env.DB.exec(`UPDATE waitlist_emails SET status = 'unsubscribed' WHERE id BETWEEN ${first} AND ${last}`);

describe("at its time, a letter that was confirmed for 100 people", () => {
  test.each([
    ["as many", 0, 100],
    ["a few more", 1, 101],
    ["19% more", 19, 119],
    ["a fifth more", 20, 120],
    ["fewer", -40, 60],
    ["one", -99, 1],
  ])("goes to %s, and its numbers add up", async (_, change, people) => {
    await addPeople(100);
    const { db, letter, atItsTime, accepted } = await scheduled(100);
    if (change > 0) await addPeople(change, 101);
    if (change < 0) await leave(1, -change);
    expect(await atItsTime()).toMatchObject({ state: "finished", expected: people, pause: null });
    expect(await accepted()).toHaveLength(people);
    const stats = await readLetterStats(db, await letter(), "UTC");
    expect(stats).toMatchObject({ expected: people, sent: people, pending: 0, skipped: 0, failed: 0, unknown: 0 });
    expect(await recipients()).toHaveLength(people);
  });

  test.each([
    ["21% more match", 21, 121],
    ["nobody is left", -100, 0],
  ])("waits for its owner if %s, and does so for good", async (_, change, people) => {
    await addPeople(100);
    const { clock, sweep, letter, atItsTime, audienceDeps, resend } = await scheduled(100);
    if (change > 0) await addPeople(change, 101);
    if (change < 0) await leave(1, -change);
    const waits = {
      state: "scheduled",
      expected: 100,
      started_at: null,
      pause: { reason: "audience-changed", until: null },
    };
    expect(await atItsTime()).toMatchObject(waits);
    // Not missed either, however late the owner comes.
    clock.now += 3 * HOUR;
    await sweep();
    expect(await letter()).toMatchObject(waits);
    expect((await resend.state()).accepted).toEqual([]);
    expect(await readAudienceNow(audienceDeps, { filter: {} })).toMatchObject({ people });
  });
});

test.each(Array.from({ length: 12 }, (_, n) => n + 1))(
  "up to a fifth more than %d people is as they were confirmed",
  (confirmed) => {
    const most = mostPeople(confirmed);
    expect(most).toBeLessThanOrEqual(confirmed * 1.2);
    expect(most + 1).toBeGreaterThan(confirmed * 1.2);
  },
);

describe("a letter that waits for its owner", () => {
  async function waiting() {
    await addPeople(10);
    const harness = await scheduled(10);
    await addPeople(5, 11);
    await harness.atItsTime();
    return harness;
  }

  test("starts for those who match now, once, whoever presses; those who join later do not get it", async () => {
    const { id, audienceDeps, clock, sweep, letter, accepted } = await waiting();
    const outcomes = await Promise.all([1, 2, 3].map(() => startForPresent(audienceDeps, id, { count: 15 })));
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(["not-a-draft", "not-a-draft", "started"]);
    expect(await letter()).toMatchObject({ state: "sending", expected: 15, started_at: clock.now, pause: null });
    expect(await rows("email_pauses")).toEqual([]);
    await addPeople(1, 16);
    await sweep();
    expect(await accepted()).toHaveLength(15);
  });

  test("asks once more if the number has grown by more than a fifth again", async () => {
    const { id, audienceDeps, letter } = await waiting();
    await addPeople(4, 16);
    expect(await startForPresent(audienceDeps, id, { count: 15 })).toEqual({ kind: "wrong-count", count: 19 });
    expect(await letter()).toMatchObject({ state: "scheduled", pause: { reason: "audience-changed" } });
    await leave(1, 19);
    expect(await startForPresent(audienceDeps, id, { count: 19 })).toEqual({ kind: "nobody" });
  });

  test("becomes a draft again without its pause, and can be sent", async () => {
    const { id, db, audienceDeps, letter, sweep, accepted } = await waiting();
    expect(await unscheduleLetter(db, id)).toBe(true);
    expect(await rows("email_pauses")).toEqual([]);
    expect(await letter()).toMatchObject({ state: "draft", pause: null });
    await startLetter(audienceDeps, id, { count: 15 });
    await sweep();
    expect(await accepted()).toHaveLength(15);
  });
});

test("two runs at once start a letter once, and pause it once", async () => {
  await addPeople(10);
  const { audienceDeps, clock, letter, id, sweep, accepted } = await scheduled(10);
  clock.now += HOUR;
  await Promise.all([1, 2, 3].map(() => startScheduled(audienceDeps)));
  expect(await letter()).toMatchObject({ state: "sending", started_at: clock.now, expected: 10 });
  await Promise.all([sweep(), sweep()]);
  expect(await accepted()).toHaveLength(10);
  expect((await recipients()).map(({ letter_id }) => letter_id)).toEqual(Array(10).fill(id));
});

test("people who were selected on the list stay the only ones", async () => {
  await addPeople(10);
  const { atItsTime, accepted } = await scheduled(10, { filter: {}, newestEntry: 10 });
  await addPeople(50, 11);
  expect(await atItsTime()).toMatchObject({ state: "finished", expected: 10 });
  expect(await accepted()).toHaveLength(10);
});

test("the first so many are never more, whoever joins", async () => {
  await addPeople(10);
  const { atItsTime } = await scheduled(5, { filter: {}, first: 5 });
  await addPeople(50, 11);
  expect(await atItsTime()).toMatchObject({ state: "finished", expected: 5 });
});

test("a letter made public until it starts links to its page", async () => {
  await addPeople(1);
  const { atItsTime, letter } = await scheduled(1);
  await env.DB.exec("UPDATE letters SET is_public = 1");
  await atItsTime();
  expect(await letter()).toMatchObject({ has_web_link: true });
});

test("a run starts three letters, and the next run the others, with few statements", async () => {
  await addPeople(2);
  const meter = meteredD1();
  const { draft, audienceDeps, clock, deps } = await letterHarness({ d1: meter.d1 });
  for (let n = 0; n < 4; n += 1) await startLetter(audienceDeps, await draft(), { count: 2, at: clock.now + MINUTE });
  clock.now += MINUTE;
  const states = async () => (await rows<{ state: string }>("letters")).map(({ state }) => state);
  const before = meter.matching(/./).length;
  await startScheduled({ ...audienceDeps, db: deps.db });
  expect(meter.matching(/./).length - before).toBe(2 + 3 * 2);
  expect(await states()).toEqual(["sending", "sending", "sending", "scheduled"]);
  await startScheduled(audienceDeps);
  expect(await states()).toEqual(Array(4).fill("sending"));
});

test("who was sent an earlier letter is looked up for each person by index, also while recipients are written", async () => {
  await addPeople(3);
  const meter = meteredD1();
  const { audienceDeps, start, sweep, accepted } = await letterHarness({ d1: meter.d1 });
  const first = await start({ audience: { filter: {}, first: 2 } });
  await sweep();
  for (const audience of [{ sentLetter: first }, { notSentLetter: first }])
    await readAudienceNow(audienceDeps, { filter: {}, ...audience });
  await start({ audience: { filter: {}, sentLetter: first } });
  await sweep();
  expect(await accepted()).toHaveLength(4);
  const lookUp =
    /SEARCH letter_recipients (EXISTS )?USING INDEX letter_recipients_entry \(entry_id=\? AND letter_id=\?\)/;
  const counting = await Promise.all(meter.matching(/^\s*SELECT count.*letter_recipients/s).map(explain));
  expect(counting.length).toBeGreaterThanOrEqual(2);
  for (const plan of counting) expect(plan.join()).toMatch(lookUp);
  const writing = await Promise.all(meter.matching(/INSERT INTO letter_recipients/).map(explain));
  expect(writing.at(-1)?.join()).toMatch(lookUp);
  for (const plan of writing)
    expect(plan.join()).toContain("SEARCH waitlist_emails USING INDEX waitlist_emails_created_at");
});
