import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { readLetterStats } from "#app/email/letters/letter-stats.server.ts";
import { sendLetters } from "#app/email/letters/send-letters.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/database.ts";
import { type Kill, killedProcess } from "#tests/support/pool/killed-process.ts";
import { addPeople, letterHarness, MINUTE } from "#tests/support/pool/letter-harness.ts";
import { captureLog } from "#tests/support/pool/log.ts";

freshDatabaseForEachTest();
captureLog();

/** More than a run has, so that the last ones show that every step was reached. */
const steps = Array.from({ length: 22 }, (_, index) => index + 1);

const kills = steps.flatMap((step): (Kill & { step: number })[] => [
  { step, when: "before" },
  { step, when: "after" },
]);

const reached = new Set<number>();

test.each(kills)("killed $when step $step: nobody is written to twice, nobody is left out", async (kill) => {
  const people = await addPeople(450);
  // Every third was imported, and joined long before.
  await env.DB.exec("UPDATE waitlist_emails SET created_at = created_at / 2 - id WHERE id % 3 = 0");
  const harness = await letterHarness();
  const { start, deps, clock, pass, sweep, letter, accepted, db } = harness;
  const id = await start({ is_invitation: true });
  // One person leaves between the start and the sending, and is skipped or has left the audience.
  await unsubscribeEntry(db, 450, clock.now);
  const { d1, mailer, wasKilled, untilDead } = killedProcess(deps.mailer, kill);
  await untilDead(sendLetters({ ...deps, db: openDb(d1), mailer }, { subrequests: 800, until: clock.now + 55_000 }));
  if (wasKilled()) reached.add(kill.step);
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

test("the kills reached every step of a run, and more steps than it has", () => {
  const last = Math.max(...reached);
  expect(reached.size).toBe(last);
  expect(last).toBeGreaterThan(12);
  expect(last).toBeLessThan(steps.length);
});
