import { describe, expect, test } from "vitest";
import { resolveUnknown } from "#app/features/letters/send/letter-states.server.ts";
import { readLetterStats } from "#app/features/letters/send/letter-stats.server.ts";
import type { Failure } from "#scripts/lib/resend-account.ts";
import { apiError } from "#scripts/lib/resend-rules.ts";
import { addPeople, HOUR, letterHarness, MINUTE } from "#tests/features/letters/pool/letter-harness.ts";
import { waysOfLeaving } from "#tests/features/letters/pool/ways-of-leaving.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

/* People who leave while their batch waits for another attempt. Person 2 does. */

freshDatabaseForEachTest();

/** Starts a letter to four people, whose first attempt fails. */
async function attempted(failure: Failure) {
  await addPeople(4);
  const harness = await letterHarness();
  await harness.resend.fail(failure);
  const id = await harness.start();
  await harness.sweep();
  const stats = async () => readLetterStats(harness.db, await harness.letter(id), "UTC");
  return { ...harness, id, stats };
}

const others = ["person1@example.com", "person3@example.com", "person4@example.com"];

const faults: [string, Failure][] = [
  ["an internal error", apiError(500, "internal_server_error", "An unexpected error occurred.")],
  ["a broken connection", "broken"],
  ["a rate limit", apiError(429, "rate_limit_exceeded", "Too many requests.", { "retry-after": "60" })],
  ["a quota", apiError(429, "daily_quota_exceeded", "You have reached your daily quota.")],
];

describe.each(waysOfLeaving)("someone who %s", (_way, leave) => {
  test.each(faults)("after %s is not sent the letter, and the others are once", async (_fault, failure) => {
    const { accepted, sweep, pass, stats, letter, id, db, deps } = await attempted(failure);
    await leave({ db, now: deps.now, id: 2, email: "person2@example.com" });
    for (const time of [2 * MINUTE, 12 * HOUR]) {
      await pass(time);
      await sweep();
    }
    expect(await accepted()).toEqual(others);
    expect(await stats()).toMatchObject({ expected: 4, sent: 3, skipped: 1, unknown: 0 });
    expect((await letter(id)).state).toBe("finished");
  });

  test("after the provider accepted the batch with an error is sent no other, and the owner decides", async () => {
    const { accepted, sweep, pass, stats, id, db, deps } = await attempted("accepted-with-error");
    const before = await accepted();
    await leave({ db, now: deps.now, id: 2, email: "person2@example.com" });
    await pass(2 * MINUTE);
    await sweep();
    expect(await accepted()).toEqual(before);
    expect(await stats()).toMatchObject({ unknown: 4, skipped: 0, reasons: [{ reason: "changed", people: 4 }] });
    expect(await resolveUnknown(db, id, "send-again", deps.now())).toBe(4);
    await sweep();
    expect(await accepted()).toEqual([...before, ...others].toSorted());
    expect(await stats()).toMatchObject({ sent: 3, skipped: 1, unknown: 0 });
  });
});

test("after a refusal the next attempt has a key of its own, since its recipients may differ", async () => {
  const { sweep, pass, resend, letter, id } = await attempted(faults[3]?.[1] ?? "broken");
  await pass(12 * HOUR);
  await sweep();
  const { key } = await letter(id);
  expect(new Set((await resend.state()).accepted.map((email) => email.key))).toEqual(new Set([`letter-${key}-0-1`]));
});
