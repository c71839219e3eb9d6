import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import type { BatchResult } from "#app/email/attempt.server.ts";
import { claimBatches, recordBatches } from "#app/features/letters/send/batches.server.ts";
import { startLetter } from "#app/features/letters/send/letter-states.server.ts";
import { readLetterStats } from "#app/features/letters/send/letter-stats.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { addPeople, killsOf, letterHarness, MINUTE, recipients } from "#tests/features/letters/pool/letter-harness.ts";
import { type Kill, killedProcess } from "#tests/support/pool/d1.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

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
async function run({ deps, sweep }: Awaited<ReturnType<typeof startedLetter>>, kill?: Kill) {
  const killed = killedProcess(deps.mailer, kill);
  await killed.untilDead(sweep(800, { db: openDb(killed.d1), mailer: killed.mailer }));
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
  const entries = await rows<{ id: number; created_at: number }>("waitlist_emails");
  const inOrder = entries.toSorted((a, b) => a.created_at - b.created_at || a.id - b.id).map((entry) => entry.id);
  const written = (await recipients()).map(({ entry_id }) => entry_id);
  expect(inOrder.filter((entry) => written.includes(entry))).toEqual(written);
  expect(await accepted()).toEqual(people.filter((email) => email !== "person450@example.com"));
  const stats = await readLetterStats(db, await letter(id), "UTC");
  expect(stats).toMatchObject({ expected: 450, sent: 449, skipped: 1, failed: 0, unknown: 0, pending: 0 });
  expect((await rows("waitlist_emails")).filter(({ invited_at }) => invited_at !== null)).toHaveLength(449);
});

test.each(killsOf(4, 1))(
  "killed $when step $step of its start, a letter is started, or still a draft",
  async (kill) => {
    const people = await addPeople(3);
    const { deps, draft, letter, sweep, accepted, audienceDeps } = await letterHarness();
    const id = await draft();
    const killed = killedProcess(deps.mailer, kill);
    await killed.untilDead(startLetter({ ...audienceDeps, db: openDb(killed.d1) }, id, { count: 3 }));
    const { state } = await letter(id);
    expect(["draft", "sending"]).toContain(state);
    if (state === "draft") expect(await startLetter(audienceDeps, id, { count: 3 })).toEqual({ kind: "started" });
    await sweep();
    expect(await accepted()).toEqual(people);
  },
);

test.each([
  [
    "a failure changes nothing",
    { state: "waiting", reason: "timed-out", nextAttemptAt: 1, attempts: 0, firstAttemptAt: null, isNewRound: true },
  ],
  ["an unknown outcome changes nothing", { state: "unknown", reason: "changed" }],
  ["an acceptance is recorded", { state: "sent", failed: [] }],
] as [string, BatchResult][])(
  "of a sender that comes late, when another has claimed its batch, %s",
  async (_, result) => {
    await addPeople(2);
    const { start, sweep, letter, db, clock } = await letterHarness();
    const id = await start();
    await sweep(15);
    const claim = async () =>
      claimBatches(db, await letter(id), { now: clock.now, limit: 1, perHour: 500, rules: null });
    const late = await claim();
    clock.now += 2 * MINUTE;
    expect(await claim()).toMatchObject([{ attempts: 2 }]);
    const stored = async () => (await env.DB.prepare("SELECT * FROM letter_batches").all()).results;
    const before = await stored();
    await recordBatches(db, await letter(id), late, [result], { now: clock.now, pause: null });
    const after = await stored();
    if (result.state === "sent") expect(after).toMatchObject([{ done_at: clock.now, dead_at: null }]);
    else expect(after).toEqual(before);
    const state = result.state === "sent" ? "sent" : "pending";
    expect(await recipients()).toMatchObject([{ state }, { state }]);
  },
);
