import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { REPEAT_INTERVAL, repeatEmail } from "#app/email/requeue.server.ts";
import { sendEmail } from "#app/email/sender.server.ts";
import { composeRepeated } from "#app/features/letters/send/compose-repeated.server.ts";
import { readLetterStats } from "#app/features/letters/send/letter-stats.server.ts";
import { repeatLetter } from "#app/features/letters/send/repeat-letter.server.ts";
import { setAnswers, unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { addPeople, HOUR, letterHarness, MINUTE, recipients } from "#tests/features/letters/pool/letter-harness.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

/* A letter, or the request to confirm an address, that an owner sends one person again. */

freshDatabaseForEachTest();

const DAY = 24 * HOUR;

/** A letter that two people were sent, and its first one's copy again. */
async function sentLetter() {
  await addPeople(3, 1, (n) => ({ answers: n === 1 ? '{"town":"Hay"}' : null }));
  const { deps, ...harness } = await letterHarness();
  const emailContext = { ...deps.emailContext, composeLetter: composeRepeated };
  const own = { ...deps, emailContext };
  const id = await harness.start({ subject: "News, {{town|friend}}", audience: { filter: {}, first: 2 } });
  await harness.sweep();
  const letter = await harness.letter(id);
  return {
    ...harness,
    id,
    letter,
    deps: own,
    repeat: (entryId = 1) => repeatLetter(harness.db, letter, entryId, harness.clock.now),
    deliver: () => harness.sweep(undefined, own),
    /** What was accepted after the letter itself. */
    again: async () => (await harness.resend.state()).accepted.slice(2),
  };
}

type Queued = {
  id: string;
  entry_id: number;
  kind: string;
  data: string;
  done_at: number | null;
  dead_at: number | null;
};
const outbox = () => rows<Queued>("email_outbox");

test("a letter goes to one person once more, with their present answer and their own links; its numbers stay", async () => {
  const { db, id, letter, clock, repeat, deliver, again, accepted } = await sentLetter();
  const before = [await recipients(), await readLetterStats(db, letter, "UTC")];
  await setAnswers(db, 1, { town: "Wye" }, clock.now);
  expect(await repeat()).toMatchObject({ kind: "queued" });
  expect(JSON.parse((await outbox())[0]?.data ?? "")).toMatchObject({ letter: id, answers: { town: "Wye" } });
  await deliver();
  const [copy, ...others] = await again();
  expect(others).toEqual([]);
  expect(copy).toMatchObject({ to: "person1@example.com", subject: "News, Wye" });
  expect(copy?.tags).not.toHaveProperty("letter");
  expect(copy?.links.some((link) => link.includes("/unsubscribe/"))).toBe(true);
  expect([await recipients(), await readLetterStats(db, letter, "UTC")]).toEqual(before);
  expect(await accepted()).toHaveLength(3);
  expect(await outbox()).toMatchObject([{ entry_id: 1, kind: "letter", done_at: clock.now }]);
  expect((await outbox())[0]?.data).not.toContain("Wye");
});

test("a retry has the same bytes under the same key, whatever the person answers meanwhile", async () => {
  const { db, clock, resend, repeat, deliver, again, pass } = await sentLetter();
  await repeat();
  await resend.fail("accepted-with-error");
  await deliver();
  await setAnswers(db, 1, { town: "Usk" }, clock.now);
  await pass(HOUR);
  await deliver();
  expect((await again()).map(({ subject }) => subject)).toEqual(["News, Hay"]);
  expect(await outbox()).toMatchObject([{ done_at: clock.now, reason: null }]);
});

test("of presses at once, by one owner or several, one sends; another one after ten minutes, three a day", async () => {
  const { clock, repeat, deliver, again, pass } = await sentLetter();
  const kinds = async () => (await Promise.all([repeat(), repeat(), repeat()])).map(({ kind }) => kind).toSorted();
  expect(await kinds()).toEqual(["queued", "recent", "recent"]);
  // It waits.
  await pass(REPEAT_INTERVAL);
  expect(await kinds()).toEqual(["recent", "recent", "recent"]);
  await deliver();
  expect(await kinds()).toEqual(["queued", "recent", "recent"]);
  await deliver();
  expect(await kinds()).toEqual(["recent", "recent", "recent"]);
  await pass(REPEAT_INTERVAL);
  expect(await kinds()).toEqual(["queued", "recent", "recent"]);
  await deliver();
  await pass(REPEAT_INTERVAL);
  expect(await kinds()).toEqual(["limit", "limit", "limit"]);
  await pass(DAY);
  expect(await repeat()).toMatchObject({ kind: "queued" });
  await deliver();
  expect(await again()).toHaveLength(4);
  expect(new Set((await again()).map(({ key }) => key)).size).toBe(4);
  expect(await outbox()).toMatchObject([{ done_at: clock.now }]);
});

describe("it is refused for someone who", () => {
  const suppress = (until: string) =>
    `INSERT INTO suppressions SELECT address_hash, 'hard-bounce', ${until}, 0 FROM waitlist_emails WHERE id = 1`;
  test.each([
    ["was not sent it", "DELETE FROM letter_recipients WHERE entry_id = 1"],
    ["was skipped", "UPDATE letter_recipients SET state = 'skipped' WHERE entry_id = 1"],
    ["may have got it", "UPDATE letter_recipients SET state = 'unknown' WHERE entry_id = 1"],
    ["has left", "UPDATE waitlist_emails SET status = 'unsubscribed' WHERE id = 1"],
    ["has yet to confirm", "UPDATE waitlist_emails SET confirm_by = 1 WHERE id = 1"],
    ["gets no email", suppress("NULL")],
    ["was erased", "DELETE FROM waitlist_emails WHERE id = 1"],
  ])("%s", async (_, change) => {
    const { repeat, deliver, again } = await sentLetter();
    await env.DB.exec(change);
    expect(await repeat()).toEqual({ kind: "refused" });
    await deliver();
    expect([await outbox(), await again()]).toEqual([[], []]);
  });

  test.each<[what: string, change: (to: Awaited<ReturnType<typeof sentLetter>>) => Promise<unknown>]>([
    ["left", ({ db, clock }) => unsubscribeEntry(db, 1, clock.now)],
    ["left in some other way", () => env.DB.exec("UPDATE waitlist_emails SET status = 'unsubscribed' WHERE id = 1")],
    ["has to confirm again", () => env.DB.exec("UPDATE waitlist_emails SET confirm_by = 1 WHERE id = 1")],
    ["bounced", () => env.DB.exec(suppress("NULL"))],
    ["was erased", ({ db, clock }) => eraseEntry(db, 1, clock.now)],
  ])("%s between the press and the attempt", async (_, change) => {
    const to = await sentLetter();
    expect(await to.repeat()).toMatchObject({ kind: "queued" });
    await change(to);
    await to.deliver();
    expect(await to.again()).toEqual([]);
  });
});

test("an erasure takes the answers in it along", async () => {
  const { db, clock, repeat } = await sentLetter();
  await repeat();
  expect((await outbox())[0]?.data).toContain("Hay");
  await eraseEntry(db, 1, clock.now);
  expect(await outbox()).toEqual([]);
});

test("someone whose copy failed or bounced temporarily gets it again; the send limit counts it", async () => {
  const { deps, clock, sweep, repeat, again } = await sentLetter();
  await env.DB.exec("UPDATE letter_recipients SET state = 'failed', reason = 'rejected' WHERE entry_id = 1");
  await env.DB.exec("UPDATE letter_recipients SET bounced_at = 1, bounced_softly = 1 WHERE entry_id = 2");
  const queued = [await repeat(1), await repeat(2)];
  // Two of the hour were the letter's own.
  for (const email of queued)
    if (email.kind === "queued") await sendEmail({ ...deps, emailsPerHour: 3 }, { id: email.id });
  expect((await again()).map(({ to }) => to)).toEqual(["person1@example.com"]);
  clock.now += HOUR + MINUTE;
  await sweep(undefined, { ...deps, emailsPerHour: 3 });
  expect(await again()).toHaveLength(2);
});

describe("the request to confirm an address", () => {
  const ask = { kind: "confirm" } as const;
  const data = '{"event":"Spring Fair","at":5}';

  test("goes to an unconfirmed person once more, and still says where the address was given", async () => {
    await addPeople(1, 1, () => ({}));
    await env.DB.exec("UPDATE waitlist_emails SET confirm_by = 1");
    const { db, clock, deps, resend, pass } = await letterHarness();
    await env.DB.exec(
      `INSERT INTO email_outbox (id, entry_id, kind, dedupe_key, priority, data, next_attempt_at, created_at, done_at) VALUES ('a', 1, 'confirm', 'confirm:1', 3, '${data}', 0, 0, 1)`,
    );
    const outcomes = await Promise.all([1, 2].map(() => repeatEmail(db, 1, ask, clock.now)));
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(["queued", "recent"]);
    const [row] = await outbox();
    expect(JSON.parse(row?.data ?? "")).toEqual({ event: "Spring Fair", at: 5, resends: [clock.now] });
    await sendEmail(deps, { id: row?.id ?? "" });
    expect((await resend.state()).accepted).toHaveLength(1);
    // Forgotten after some weeks, it is queued as a first one.
    await env.DB.exec("DELETE FROM email_outbox");
    await pass(HOUR);
    expect(await repeatEmail(db, 1, ask, clock.now)).toMatchObject({ kind: "queued" });
    expect(await repeatEmail(db, 1, ask, clock.now)).toEqual({ kind: "recent" });
  });

  test.each([
    ["confirmed", "UPDATE waitlist_emails SET confirm_by = 1, confirmed_at = 1"],
    ["not asked", "UPDATE waitlist_emails SET confirm_by = NULL"],
    ["unsubscribed", "UPDATE waitlist_emails SET confirm_by = 1, status = 'unsubscribed'"],
    [
      "suppressed",
      "UPDATE waitlist_emails SET confirm_by = 1; INSERT INTO suppressions SELECT address_hash, 'never', NULL, 0 FROM waitlist_emails",
    ],
  ])("is refused to one who is %s", async (_, change) => {
    await addPeople(1);
    const { db, clock } = await letterHarness();
    for (const statement of change.split("; ")) await env.DB.exec(statement);
    expect(await repeatEmail(db, 1, ask, clock.now)).toEqual({ kind: "refused" });
    expect(await outbox()).toEqual([]);
  });
});
