import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { decideReferrals } from "#app/features/referrals/decide.server.ts";
import { referralHooks } from "#app/features/referrals/entry-hooks.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation/confirmation.server.ts";
import { referralHarness } from "#tests/features/referrals/pool/referrals.ts";
import { type Kill, killedProcess } from "#tests/support/pool/d1.ts";
import { countingMailer } from "#tests/support/pool/emails.ts";
import { freshDatabaseForEachTest, needs } from "#tests/support/pool/start.ts";
import { sampleMilestones } from "#tests/support/sample-milestones.ts";

needs("referrals");
freshDatabaseForEachTest();

const MINUTE = 60_000;

/** Runs work that is killed at a step. After its last step it is not. */
async function killAt(kill: Kill, work: (db: ReturnType<typeof openDb>) => Promise<unknown>) {
  const process = killedProcess(countingMailer().mailer, kill);
  await process.untilDead(work(openDb(process.d1)));
}

const kills = (["before", "after"] as const).flatMap((when) => [1, 2, 3, 4, 5].map((step) => ({ step, when })));

test.each(kills)("a confirmation that is killed $when step $step and repeated counts once", async (kill) => {
  const { clock, bring, join, confirm, friends, reached, milestoneEmails } = referralHarness();
  const ada = await bring("ada@gmail.com");
  await bring("one@gmail.com", ada);
  await bring("two@gmail.com", ada);
  const three = await join("three@gmail.com", ada);
  await killAt(kill, (db) =>
    confirmEntry(db, three, clock.now, {
      after: referralHooks.onConfirmed(db, { entryId: three, now: clock.now, milestones: sampleMilestones }),
    }),
  );
  await confirm(three);
  expect(await friends(ada)).toEqual({ joined: 3, counted: 3 });
  expect(await reached()).toEqual([[ada, 3]]);
  expect(await milestoneEmails()).toEqual([[ada, 3]]);
});

test.each(kills)(
  "a run that is killed $when step $step leaves the rest to the next one, and counts each once",
  async (kill) => {
    const { clock, bring, pass, friends } = referralHarness({ mustConfirm: false });
    const ada = await bring("ada@gmail.com");
    for (let n = 0; n < 3; n += 1) await bring(`friend${n}@gmail.com`, ada);
    clock.now += 25 * 60 * MINUTE;
    await env.DB.exec("UPDATE email_outbox SET done_at = created_at");
    await killAt(kill, (db) => decideReferrals(db, clock.now, { mustConfirm: false, milestones: [], mayWrite: 900 }));
    await pass(MINUTE);
    expect(await friends(ada)).toEqual({ joined: 3, counted: 3 });
  },
);
