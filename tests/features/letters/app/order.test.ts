import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { queueChunk } from "#app/features/letters/send/due-batches.server.ts";
import { stopLetter } from "#app/features/letters/send/letter-states.server.ts";
import { updateLetter } from "#app/features/letters/send/letters.server.ts";
import type { LetterAudience } from "#app/server/db/schema/letters.server.ts";
import { addPeople, HOUR, letterHarness, recipients } from "#tests/features/letters/pool/letter-harness.ts";
import { execute, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

/* First come, first served: letters go by the time of joining, which imported people bring with them. */

/** Gives people with these ids an earlier time of joining each, as an import of an older list does. */
async function importEarlier(from: number, until: number) {
  const earlier = "UPDATE waitlist_emails SET import_id = 1, created_at = created_at - ? - id WHERE id BETWEEN ? AND ?";
  await execute(earlier, 1_000 * HOUR, from, until);
}

/** The entries of a letter, in its order. */
async function entriesOf(letterId: number) {
  return (await recipients()).filter(({ letter_id }) => letter_id === letterId).map(({ entry_id }) => entry_id);
}

/** Ids by time of joining. */
async function inOrder(): Promise<number[]> {
  const entries = await rows<{ id: number; created_at: number }>("waitlist_emails");
  return entries.toSorted((a, b) => a.created_at - b.created_at || a.id - b.id).map(({ id }) => id);
}

test("waves of invitations go to the first 50, then to the next 50, imported people among them", async () => {
  await addPeople(130);
  await importEarlier(71, 110);
  const expected = await inOrder();
  expect(expected.slice(0, 2)).toEqual([110, 109]);
  const { start, sweep } = await letterHarness();
  const wave: LetterAudience = { filter: { invited: false }, first: 50 };
  for (const people of [expected.slice(0, 50), expected.slice(50, 100), expected.slice(100)]) {
    const id = await start({ is_invitation: true, audience: wave });
    await sweep();
    expect(await entriesOf(id)).toEqual(people);
  }
});

test("people who join or are imported after the start are not written to, and the content is frozen", async () => {
  await addPeople(3);
  const { start, sweep, letter, db, clock } = await letterHarness();
  const id = await start();
  await addPeople(2, 4);
  // With an earlier time of joining.
  await importEarlier(5, 5);
  expect(await updateLetter(db, await letter(id), { subject: "Something else" }, clock.now)).toBe(false);
  await sweep();
  expect(await entriesOf(id)).toEqual([1, 2, 3]);
  expect((await letter(id)).state).toBe("finished");
});

test("recipients are written in chunks, in the order of joining, without a gap or a repetition", async () => {
  await addPeople(260);
  await importEarlier(90, 180);
  const { start, audienceDeps, letter, db, clock } = await letterHarness();
  const id = await start();
  // Chunks of 50 people.
  await env.DB.exec("UPDATE letters SET batch_size = 1");
  let chunks = 1;
  while (!(await queueChunk(audienceDeps, await letter(id)))) {
    chunks += 1;
    // Twice at once, and someone joins and someone is imported in between.
    await addPeople(2, 1_000 + 2 * chunks);
    await importEarlier(260 + 2 * (chunks - 1), 260 + 2 * (chunks - 1));
    const current = await letter(id);
    await Promise.all([queueChunk(audienceDeps, current), queueChunk(audienceDeps, current)]);
  }
  const expected = (await inOrder()).filter((entry) => entry <= 260);
  expect(await entriesOf(id)).toEqual(expected);
  expect(chunks).toBeGreaterThan(1);
  expect(await letter(id)).toMatchObject({ queued: 260, cursor: expected.at(-1) });
  await stopLetter(db, id, clock.now);
});

test("a letter with some recipients in another order goes on to everyone else", async () => {
  await addPeople(10);
  await importEarlier(5, 8);
  const { start, sweep, accepted, letter } = await letterHarness();
  const id = await start();
  // As it was written by the version before: in order of entry.
  const insert = "INSERT INTO letter_recipients (letter_id, position, entry_id)";
  await execute(`${insert} SELECT ?, id - 1, id FROM waitlist_emails WHERE id <= 6`, id);
  await env.DB.exec(`INSERT INTO letter_batches (letter_id, number) VALUES (${id}, 0)`);
  await env.DB.exec("UPDATE letters SET batch_size = 6, queued = 6, cursor = 6");
  await sweep();
  expect(await entriesOf(id)).toEqual([1, 2, 3, 4, 5, 6, 8, 7, 9, 10]);
  expect(await accepted()).toHaveLength(10);
  expect((await letter(id)).state).toBe("finished");
});
