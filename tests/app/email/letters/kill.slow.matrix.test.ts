import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { readLetterStats } from "#app/email/letters/letter-stats.server.ts";
import { sendLetters } from "#app/email/letters/send-letters.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { type Kill, killedProcess } from "#tests/support/pool/d1.ts";
import { addPeople, killsOf, letterHarness, MINUTE } from "#tests/support/pool/letter-harness.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

/** More than a run has. */
const STEPS = 22;

/** A letter to 450 people that has started, one of whom has left since. */
async function startedLetter() {
  const people = await addPeople(450);
  // Every third was imported, and joined long before.
  await env.DB.exec("UPDATE waitlist_emails SET created_at = created_at / 2 - id WHERE id % 3 = 0");
  const harness = await letterHarness();
  const id = await harness.start({ is_invitation: true });
  // Is skipped or has left the audience.
  await unsubscribeEntry(harness.db, 450, harness.clock.now);
  return { ...harness, id, people };
}

/** A run that is killed, or goes to its end. */
async function run({ deps, clock }: Awaited<ReturnType<typeof startedLetter>>, kill?: Kill) {
  const killed = killedProcess(deps.mailer, kill);
  const limits = { subrequests: 800, until: clock.now + 55_000 };
  await killed.untilDead(sendLetters({ ...deps, db: openDb(killed.d1), mailer: killed.mailer }, limits));
  return killed.steps();
}

test("a run has fewer steps than there are kills", async () => {
  const steps = await run(await startedLetter());
  expect(steps).toBeGreaterThan(12);
  expect(steps).toBeLessThan(STEPS);
});

test.each(killsOf(STEPS))("killed $when step $step: nobody is written to twice, nobody is left out", async (kill) => {
  const site = await startedLetter();
  const { id, people, letter, pass, sweep, accepted, db } = site;
  await run(site, kill);
  for (let restart = 0; restart < 5 && (await letter(id)).state !== "finished"; restart += 1) {
    await pass(3 * MINUTE);
    await sweep();
  }
  expect((await letter(id)).state).toBe("finished");
  // In the order of joining, wherever it was interrupted.
  const joined = "FROM waitlist_emails WHERE id = entry_id";
  const { results } = await env.DB.prepare(
    `SELECT (SELECT created_at ${joined}) AS time, entry_id FROM letter_recipients ORDER BY position`,
  ).all<{ time: number; entry_id: number }>();
  expect(results).toEqual(results.toSorted((a, b) => a.time - b.time || a.entry_id - b.entry_id));
  expect(await accepted()).toEqual(people.filter((email) => email !== "person450@example.com"));
  const stats = await readLetterStats(db, await letter(id), "UTC");
  expect(stats).toMatchObject({ expected: 450, sent: 449, skipped: 1, failed: 0, unknown: 0, pending: 0 });
  const invited = await env.DB.prepare(
    "SELECT count(*) AS people FROM waitlist_emails WHERE invited_at IS NOT NULL",
  ).first();
  expect(invited).toEqual({ people: 449 });
});
