import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { resolveUnknown, stopLetter } from "#app/features/letters/send/letter-states.server.ts";
import { readLetterStats } from "#app/features/letters/send/letter-stats.server.ts";
import { setAnswers } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { listEntryLetters } from "#app/waitlist/my-data/stored-data.server.ts";
import type { Failure } from "#scripts/lib/resend-account.ts";
import { apiError } from "#scripts/lib/resend-rules.ts";
import { addPeople, HOUR, letterHarness, MINUTE } from "#tests/features/letters/pool/letter-harness.ts";
import { emailContext } from "#tests/support/pool/emails.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

/* Letters that greet their readers with an answer, and those with a reply address of their own. */

freshDatabaseForEachTest();

const GREETING = { subject: "News, {{town|friend}}", body: "Hello {{role|you}} of {{town|somewhere}}." };

/** Three people, of whom the first two have answered, and what the provider accepted for each. */
async function readers() {
  await addPeople(3);
  await env.DB.exec(
    `UPDATE waitlist_emails SET answers = iif(id = 1, '{"town":"Hay","role":"host"}', '{"town":"Wye"}') WHERE id < 3`,
  );
  const harness = await letterHarness();
  return {
    ...harness,
    subjects: async () => (await harness.resend.state()).accepted.map(({ subject }) => subject).toSorted(),
    frozen: () => rows<{ entry_id: number; answers: string }>("letter_greetings"),
  };
}

test("each reader is greeted with their own answer, or with the words for people without one", async () => {
  const { db, start, sweep, subjects, letter, frozen } = await readers();
  const id = await start(GREETING);
  await sweep();
  expect(await subjects()).toEqual(["News, Hay", "News, Wye", "News, friend"]);
  expect((await letter(id)).state).toBe("finished");
  expect(await frozen()).toEqual([]);
  const own = [1, 2, 3].map(async (entryId) => (await listEntryLetters(db, entryId)).map(({ subject }) => subject));
  expect(await Promise.all(own)).toEqual([["News, Hay"], ["News, Wye"], ["News, friend"]]);
});

test.each<Failure>(["accepted-with-error", "accepted-without-response"])(
  "a retry after an attempt that was %s says the same although answers have changed, so that no one is sent it twice or in doubt",
  async (failure) => {
    const { db, resend, start, sweep, pass, subjects, letter, frozen } = await readers();
    await resend.fail(failure);
    const id = await start(GREETING);
    await sweep();
    for (const [index, town] of ["Ross", null, "Usk"].entries()) await setAnswers(db, index + 1, { town }, 0);
    await pass(2 * MINUTE);
    await sweep();
    expect(await subjects()).toEqual(["News, Hay", "News, Wye", "News, friend"]);
    expect(await readLetterStats(db, await letter(id), "UTC")).toMatchObject({ sent: 3, unknown: 0 });
    expect(await frozen()).toEqual([]);
  },
);

test("answers wait for a retry without a name in them, and go with an entry that is erased", async () => {
  const { db, resend, clock, start, sweep, frozen } = await readers();
  await resend.fail("broken");
  await start({ body: "Hello {{town|you}}." });
  await sweep();
  const second = { entry_id: 2, answers: '{"town":"Wye"}' };
  expect(await frozen()).toMatchObject([{ entry_id: 1, answers: '{"town":"Hay"}' }, second]);
  await eraseEntry(db, 1, clock.now);
  expect(await frozen()).toMatchObject([second]);
});

test("an attempt that the provider refused leaves nothing, and the next one says what people answer then", async () => {
  const { db, resend, start, sweep, pass, subjects, frozen } = await readers();
  await resend.fail(apiError(429, "daily_quota_exceeded", "You have reached your daily quota."));
  await start(GREETING);
  await sweep();
  expect(await frozen()).toEqual([]);
  await setAnswers(db, 3, { town: "Usk" }, 0);
  await pass(12 * HOUR);
  await sweep();
  expect(await subjects()).toEqual(["News, Hay", "News, Usk", "News, Wye"]);
});

test("nothing is left once the outcome is unknown or the letter is stopped", async () => {
  const { db, clock, resend, start, sweep, pass, letter, subjects, frozen } = await readers();
  await resend.fail("broken");
  const id = await start(GREETING);
  await sweep();
  expect(await frozen()).toHaveLength(2);
  await pass(25 * HOUR);
  await sweep();
  expect(await readLetterStats(db, await letter(id), "UTC")).toMatchObject({ unknown: 3 });
  expect(await frozen()).toEqual([]);
  await setAnswers(db, 3, { town: "Usk" }, 0);
  expect(await resolveUnknown(db, id, "send-again", clock.now)).toBe(3);
  await resend.fail("broken");
  await sweep();
  expect(await frozen()).toHaveLength(3);
  await stopLetter(db, id, clock.now);
  expect(await frozen()).toEqual([]);
  expect(await subjects()).toEqual([]);
});

test("a letter pauses, with the reason, if it greets with an answer that is asked for no more", async () => {
  const { db, start, sweep, letter, subjects } = await readers();
  const id = await start(GREETING);
  await db.run(`UPDATE letters SET subject = 'News, {{first_name|friend}}'`);
  await sweep();
  expect(await subjects()).toEqual([]);
  expect(await letter(id)).toMatchObject({ pause: { reason: "letter-problem", until: null } });
});

test("replies go to the letter's own address, or to CONTACT_EMAIL", async () => {
  const { start, sweep, resend } = await readers();
  await start({ reply_to: "stalls@example.com" });
  await sweep();
  await start({ subject: "More news" });
  await sweep();
  const replies = (await resend.state()).accepted.map(({ subject, replyTo }) => `${subject}: ${replyTo}`);
  const own = ["We open on Friday: stalls@example.com", `More news: ${emailContext.replyTo}`];
  expect(new Set(replies)).toEqual(new Set(own));
});
