import { expect, test } from "vitest";
import { resolveUnknown, stopLetter } from "#app/features/letters/send/letter-states.server.ts";
import { countSent } from "#app/features/letters/send/letter-stats.server.ts";
import { HOUR, startedLetter } from "#tests/features/letters/pool/letter-harness.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

/* How many people a letter was sent to, as its page and the list of letters say it. */

freshDatabaseForEachTest();

test("a letter to 1,150 people that is stopped in its first pause was sent to 1,000", async () => {
  const { sweep, db, id, clock, stats } = await startedLetter(1_150);
  await sweep();
  await stopLetter(db, id, clock.now);
  expect(await stats()).toMatchObject({ expected: 1_150, sent: 1_000 });
  expect(await countSent(db, [id])).toEqual(new Map([[id, 1_000]]));
});

test("people whose outcome was unknown count once the owner says so", async () => {
  const { sweep, pass, db, id, clock, stats, resend } = await startedLetter(3);
  await resend.fail("accepted-with-error");
  await sweep();
  await pass(25 * HOUR);
  await sweep();
  expect([(await stats()).unknown, await countSent(db, [id])]).toEqual([3, new Map([[id, 0]])]);
  await resolveUnknown(db, id, "count-as-sent", clock.now);
  expect([(await stats()).sent, await countSent(db, [id, 99])]).toEqual([3, new Map([[id, 3]])]);
  expect(await countSent(db, [])).toEqual(new Map());
});
