import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import {
  acceptReferral,
  findReferral,
  listReferrals,
  refuseReferral,
} from "#app/features/referrals/owner/referrals.server.ts";
import type { ReferralDecision } from "#app/server/db/schema/referrals.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { readFriends } from "#app/waitlist/my-data/friends.server.ts";
import { db, freshDatabaseForEachTest, join, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const NOW = Date.UTC(2026, 10, 21, 12);
const milestones = [
  { friends: 1, reward: "a badge" },
  { friends: 3, reward: "a free stall fee" },
];

/** Ada, and friends who joined through her link with these decisions. Returns their ids. */
async function addFriends(...given: (ReferralDecision | null)[]): Promise<number[]> {
  const ada = await join("ada@example.com");
  const ids: number[] = [];
  for (const [index, ruling] of given.entries()) {
    const id = await join(`friend${index}@craft.example`);
    await env.DB.prepare(
      "INSERT INTO referrals (entry_id, referrer_id, ruling, decided_at, note) VALUES (?, ?, ?, 1, NULL)",
    )
      .bind(id, ada, ruling)
      .run();
    ids.push(id);
  }
  const counted = given.filter((ruling) => ruling === "counted" || ruling === "accepted").length;
  if (counted > 0) await env.DB.prepare("INSERT INTO referrers VALUES (?1, ?2, ?2)").bind(ada, counted).run();
  return ids;
}

const accept = (entryId: number, note: string | null = null) =>
  acceptReferral(db, { entryId, note, now: NOW }, milestones);
const refuse = (entryId: number, note: string | null = null) => refuseReferral(db, { entryId, note, now: NOW });

async function countedOfAda(): Promise<number> {
  return (await readFriends(db, 1)).counted;
}

describe("accepting", () => {
  test("counts a friend once, with its note, also if it is done twice or at the same time", async () => {
    const [id = 0] = await addFriends("one-domain");
    const changes = await Promise.all([accept(id, "A real club"), accept(id), accept(id)]);
    expect(changes.filter(Boolean)).toHaveLength(1);
    expect(await accept(id)).toBe(false);
    expect(await countedOfAda()).toBe(1);
    expect(await rows("referrals")).toMatchObject([{ ruling: "accepted", decided_at: NOW }]);
  });

  test("reaches a milestone once, and queues one email about it", async () => {
    const ids = await addFriends("counted", "one-domain", "one-domain", "left");
    await Promise.all(ids.map((id) => accept(id)));
    expect(await countedOfAda()).toBe(4);
    expect(await rows("reached_milestones")).toMatchObject([{ friends: 1 }, { friends: 3 }]);
    const emails = await rows<{ kind: string; data: string }>("email_outbox");
    const [email, ...others] = emails.filter(({ kind }) => kind === "milestone");
    expect(others).toEqual([]);
    expect(JSON.parse(email?.data ?? "")).toEqual({ friends: 3 });
  });

  test.each([[null], ["counted"], ["accepted"]] as const)("changes nothing of one that is %s", async (ruling) => {
    const [id = 0] = await addFriends(ruling);
    const before = await countedOfAda();
    expect(await accept(id)).toBe(false);
    expect(await countedOfAda()).toBe(before);
    expect(await rows("referrals")).toMatchObject([{ ruling }]);
  });

  test("changes nothing once the person of the link is erased", async () => {
    const [id = 0] = await addFriends("one-domain");
    await eraseEntry(db, 1, NOW);
    expect(await accept(id)).toBe(false);
    expect(await refuse(id)).toBe(false);
    expect(await rows("referrers")).toEqual([]);
  });
});

describe("refusing", () => {
  test("takes a friend who counted from the number once, and milestones stay reached", async () => {
    const ids = await addFriends("one-domain", "counted", "counted");
    await accept(ids[0] ?? 0);
    expect(await countedOfAda()).toBe(3);
    const changes = await Promise.all([refuse(ids[1] ?? 0, "Same person"), refuse(ids[1] ?? 0)]);
    expect(changes.filter(Boolean)).toHaveLength(1);
    expect(await countedOfAda()).toBe(2);
    expect(await rows("reached_milestones")).toHaveLength(2);
    expect(await findReferral(db, ids[1] ?? 0)).toMatchObject({ decision: "refused" });
  });

  test("can be taken back, and refused again", async () => {
    const [id = 0] = await addFriends("counted");
    for (const counted of [0, 1, 0, 1]) {
      expect(await (counted === 0 ? refuse(id) : accept(id))).toBe(true);
      expect(await countedOfAda()).toBe(counted);
    }
    expect(await rows("referred_mailboxes")).toHaveLength(0);
  });

  test.each([[null], ["throwaway"], ["known-mailbox"], ["refused"]] as const)(
    "changes nothing of one that is %s",
    async (ruling) => {
      const [id = 0] = await addFriends(ruling, "counted");
      expect(await refuse(id)).toBe(false);
      expect(await countedOfAda()).toBe(1);
    },
  );
});

test("accepting and refusing at once leaves a number that fits the decision", async () => {
  const ids = await addFriends(...Array.from({ length: 8 }, (): ReferralDecision => "one-domain"));
  await Promise.all(ids.flatMap((id) => [accept(id), refuse(id), accept(id)]));
  const counting = (await rows<{ ruling: string }>("referrals")).filter(({ ruling }) => ruling === "accepted");
  expect(await countedOfAda()).toBe(counting.length);
});

test("the list has those that wait first, then those that were rejected, each newest first, in pages", async () => {
  const waiting = Array.from({ length: 3 }, (): ReferralDecision => "one-domain");
  const rejected = Array.from({ length: 30 }, (): ReferralDecision => "throwaway");
  const ids = await addFriends(...rejected, null, "counted", ...waiting, "accepted");
  const [first, second, third] = await Promise.all([1, 2, 3].map((page) => listReferrals(db, "to-check", page)));
  const listed = [first, second, third].flatMap((page) => page?.referrals ?? []);
  const newestFirst = ids.toReversed();
  expect(listed.map(({ entryId }) => entryId)).toEqual([...newestFirst.slice(1, 4), ...newestFirst.slice(6)]);
  expect([first, second, third].map((page) => page?.hasNext)).toEqual([true, false, false]);
  expect(listed[0]).toMatchObject({ email: "friend34@craft.example", referrerEmail: "ada@example.com", referrerId: 1 });
  expect((await listReferrals(db, "to-check", 1, { of: 1, domain: null })).referrals).toEqual(first?.referrals);
  expect((await listReferrals(db, "to-check", 1, { of: 2, domain: null })).referrals).toEqual([]);
  const counted = await listReferrals(db, "counted", 1);
  expect(counted.referrals.map(({ decision }) => decision)).toEqual(["accepted", "counted"]);
});
