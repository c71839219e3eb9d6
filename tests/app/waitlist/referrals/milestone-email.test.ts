import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { sweepOutbox } from "#app/email/deliver.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { eraseEntry } from "#app/waitlist/erase-entries.server.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { needs } from "#tests/support/pool/needs.ts";
import { outboxHarness } from "#tests/support/pool/outbox-harness.ts";
import { referralHarness } from "#tests/support/pool/referrals.ts";
import { sampleMilestones } from "#tests/support/sample-milestones.ts";

needs("referrals");
freshDatabaseForEachTest();
captureLog();

/** Someone who has just reached the first milestone, and the emails that sweeps send about it. */
async function reached() {
  const sent: { to: string; subject: string; text: string }[] = [];
  const binding = {
    send: async (message: { to: string; subject: string; text: string }) => {
      sent.push(message);
      return env.EMAIL.send(message as unknown as EmailMessage);
    },
  } as unknown as SendEmail;
  const { deps, clock } = outboxHarness({ binding, mustConfirm: true });
  const site = referralHarness();
  const ada = await site.bring("ada@gmail.com");
  for (let n = 0; n < 3; n += 1) await site.bring(`friend${n}@gmail.com`, ada);
  clock.now = site.clock.now;
  return {
    ...site,
    ada,
    async sweep(wait = 0) {
      clock.now += wait;
      await sweepOutbox(deps);
      return sent.filter(({ subject }) => /through your link/.test(subject));
    },
  };
}

test("it is sent once, names the reward and no friend, and can be unsubscribed from", async () => {
  const { sweep } = await reached();
  const [email, ...others] = await sweep();
  expect(others).toEqual([]);
  expect(email).toMatchObject({ to: "ada@gmail.com", subject: expect.stringContaining("3 friends have joined") });
  expect(email?.text).toContain(sampleMilestones[0]?.reward);
  expect(email?.text).not.toMatch(/friend\d/);
  expect(email?.text).toContain("/unsubscribe/");
  expect(await sweep(24 * 3_600_000)).toHaveLength(1);
});

test("someone who leaves, or is erased, before it is sent does not get it", async () => {
  const left = await reached();
  await unsubscribeEntry(left.db, left.ada, left.clock.now);
  expect(await left.sweep()).toEqual([]);
  await eraseEntry(left.db, left.ada, left.clock.now);
  expect(await left.sweep()).toEqual([]);
});

test("a milestone that was taken off the site is thanked for without its reward", async () => {
  const { db, ada, sweep } = await reached();
  await db.$client.prepare(`UPDATE email_outbox SET data = '{"friends":4}' WHERE kind = 'milestone'`).run();
  const [email] = await sweep();
  expect(email?.subject).toContain("4 friends have joined");
  expect(email?.text).not.toContain("you get");
  expect(ada).toBe(1);
});
