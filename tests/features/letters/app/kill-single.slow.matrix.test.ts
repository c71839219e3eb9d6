import { expect, test } from "vitest";
import type { AttemptResult } from "#app/email/attempt.server.ts";
import { LEASE } from "#app/email/limits.ts";
import { claimDue } from "#app/email/outbox.server.ts";
import { recordAttempts, sendEmail } from "#app/email/sender.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { killsOf, letterHarness, MINUTE } from "#tests/features/letters/pool/letter-harness.ts";
import { type Kill, killedProcess } from "#tests/support/pool/d1.ts";
import { sendAll } from "#tests/support/pool/emails.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

/** More than a run has. */
const STEPS = 22;

const people = Array.from({ length: 12 }, (_, n) => `ada${n}@example.com`);

/** Twelve people have signed up. One address is refused, and one email got no response so far. */
async function joined() {
  const site = await letterHarness();
  for (const email of people) {
    const entry = { email, source: "stall", columns: {}, verified: true, mustConfirm: false };
    await addEntry(site.db, { ...entry, now: site.clock.now });
  }
  await site.resend.fail("accepted-without-response");
  return site;
}

type Site = Awaited<ReturnType<typeof joined>>;

const work = {
  "a run": (deps: Site["deps"]) => sendAll(deps),
  "the email of one sign-up": (deps: Site["deps"]) => sendEmail(deps, { email: "ada3@example.com" }),
};

/** Does some of the work in a process that is killed, or goes to its end. */
async function run({ deps }: Site, name: keyof typeof work, kill?: Kill) {
  const killed = killedProcess(deps.mailer, kill);
  await killed.untilDead(work[name]({ ...deps, db: openDb(killed.d1), mailer: killed.mailer }));
  return killed.steps();
}

test.each([
  ["a run", 12],
  ["the email of one sign-up", 3],
] as const)("%s has fewer steps than there are kills", async (name, least) => {
  const steps = await run(await joined(), name);
  expect(steps).toBeGreaterThan(least);
  expect(steps).toBeLessThan(STEPS);
});

test.each(
  killsOf(STEPS, 3).flatMap((kill) =>
    (["a run", "the email of one sign-up"] as const).map((name) => ({ ...kill, name })),
  ),
)("killed $when step $step of $name: every email is sent once, and recorded", async ({ name, ...kill }) => {
  const site = await joined();
  await run(site, name, kill);
  for (let restart = 0; restart < 5; restart += 1) {
    await site.pass(6 * MINUTE);
    await sendAll(site.deps);
  }
  expect(await site.accepted()).toEqual(people.toSorted());
  const stored = await rows<{ done_at: number | null; leased_until: number }>("email_outbox");
  expect(stored.filter(({ done_at, leased_until }) => done_at !== null && leased_until === 0)).toHaveLength(12);
  expect(await rows("email_pauses")).toEqual([]);
});

test.each<[what: string, result: Record<string, unknown>]>([
  ["failure changes nothing", { state: "waiting", reason: null, nextAttemptAt: 1, attempts: 0, firstAttemptAt: null }],
  ["refusal changes nothing", { state: "dead", reason: "rejected" }],
  ["acceptance is recorded", { state: "sent" }],
])("of a sender that comes late, when another has claimed its email, the %s", async (_, result) => {
  const { db, clock } = await joined();
  const claim = () =>
    claimDue(db, { now: clock.now, limit: 1, perHour: 500, owners: [], only: { email: "ada3@example.com" } });
  const late = await claim();
  clock.now += LEASE;
  expect(await claim()).toMatchObject([{ attempts: 2 }]);
  const before = await rows("email_outbox");
  await recordAttempts(db, late, [{ ...result, id: late[0]?.id ?? "" } as AttemptResult], clock.now);
  const after = await rows("email_outbox");
  if (result["state"] === "sent") expect(after[3]).toMatchObject({ done_at: clock.now, leased_until: 0 });
  else expect(after).toEqual(before);
});
