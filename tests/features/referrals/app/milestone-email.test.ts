import { expect, test } from "vitest";

import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { referralHarness } from "#tests/features/referrals/pool/referrals.ts";
import { outboxHarness, sendAll } from "#tests/support/pool/emails.ts";
import { freshDatabaseForEachTest, needs } from "#tests/support/pool/start.ts";

needs("referrals");
freshDatabaseForEachTest();

/** Someone who has just reached the first milestone, and the emails that sweeps send about it. */
async function reached() {
  const { deps, clock, sent } = outboxHarness({ mustConfirm: true });
  const site = referralHarness();
  const ada = await site.bring("ada@gmail.com");
  for (let n = 0; n < 3; n += 1) await site.bring(`friend${n}@gmail.com`, ada);
  clock.now = site.clock.now;
  return {
    ...site,
    ada,
    async sweep(wait = 0) {
      clock.now += wait;
      await sendAll(deps);
      return sent.filter(({ subject }) => /through your link/.test(subject));
    },
  };
}

test("it is sent once, names the reward and no friend, and can be unsubscribed from", async () => {
  const { sweep } = await reached();
  const [email, ...others] = await sweep();
  expect(others).toEqual([]);
  expect(email).toMatchObject({ to: "ada@gmail.com", subject: expect.stringContaining("3 friends have joined") });
  expect(email?.text).toContain("a free stall fee at your first fair");
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
