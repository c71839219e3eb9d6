import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { resolveUnknown } from "#app/email/letters/letter-states.server.ts";
import { readLetterStats } from "#app/email/letters/letter-stats.server.ts";
import { applyProviderEvent } from "#app/email/provider-events.server.ts";
import type { Intent } from "#app/waitlist/my-data/entry-view.ts";
import { changeOwnEntry, unsubscribeByToken } from "#app/waitlist/my-data/own-entry.server.ts";
import { signDataToken, signEntryToken } from "#app/waitlist/my-data/token.server.ts";
import type { Failure } from "#scripts/lib/resend-account.ts";
import { apiError } from "#scripts/lib/resend-rules.ts";
import { freshDatabaseForEachTest } from "#tests/support/pool/database.ts";
import { addPeople, HOUR, type LetterHarness, letterHarness, MINUTE } from "#tests/support/pool/letter-harness.ts";
import { captureLog } from "#tests/support/pool/log.ts";

/* People who leave while their batch waits for another attempt. Person 2 does. */

freshDatabaseForEachTest();
captureLog();

type Leave = (harness: LetterHarness) => Promise<unknown>;

const choose =
  (intent: Intent): Leave =>
  async ({ db, clock, deps: { now } }) => {
    const token = await signDataToken(2, clock.now, env.LINK_SECRET);
    const outcome = await changeOwnEntry(
      { db, now, linkSecrets: [env.LINK_SECRET], hashKey: env.HASH_KEY },
      token,
      intent,
    );
    expect(outcome).toMatchObject({ kind: "done", changed: true });
  };

const ways: [string, Leave][] = [
  ["unsubscribes on the page of their entry", choose("unsubscribe")],
  ["asks for no email ever again", choose("never")],
  ["erases themselves", choose("erase")],
  [
    "unsubscribes by the link in an email, or with one click",
    async ({ db, deps: { now } }) => {
      const token = await signEntryToken("unsubscribe:v1", 2, env.HASH_KEY);
      const deps = { db, now, linkSecrets: [], hashKey: env.HASH_KEY };
      expect(await unsubscribeByToken(deps, token)).toMatchObject({ kind: "done", changed: true });
    },
  ],
  [
    "reports another email as spam",
    ({ deps }) =>
      applyProviderEvent(deps, { id: "event", kind: "complaint", about: null, recipient: "person2@example.com" }),
  ],
  [
    "has an address that another email bounced from",
    ({ deps }) =>
      applyProviderEvent(deps, { id: "event", kind: "hard-bounce", about: null, recipient: "person2@example.com" }),
  ],
];

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

describe.each(ways)("someone who %s", (_way, leave) => {
  test.each(faults)("after %s is not sent the letter, and the others are once", async (_fault, failure) => {
    const { accepted, sweep, pass, stats, letter, id, ...harness } = await attempted(failure);
    await leave({ accepted, sweep, pass, letter, ...harness });
    for (const time of [2 * MINUTE, 12 * HOUR]) {
      await pass(time);
      await sweep();
    }
    expect(await accepted()).toEqual(others);
    expect(await stats()).toMatchObject({ expected: 4, sent: 3, skipped: 1, unknown: 0 });
    expect((await letter(id)).state).toBe("finished");
  });

  test("after the provider accepted the batch with an error is sent no other, and the owner decides", async () => {
    const { accepted, sweep, pass, stats, clock, db, id, ...harness } = await attempted("accepted-with-error");
    const before = await accepted();
    await leave({ accepted, sweep, pass, clock, db, ...harness });
    await pass(2 * MINUTE);
    await sweep();
    expect(await accepted()).toEqual(before);
    expect(await stats()).toMatchObject({ unknown: 4, skipped: 0, reasons: [{ reason: "changed", people: 4 }] });
    expect(await resolveUnknown(db, id, "send-again", clock.now)).toBe(4);
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
