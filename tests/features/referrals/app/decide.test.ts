import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { forgetReferred, reachMilestones } from "#app/features/referrals/decide.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry, eraseOwnEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { referralHarness } from "#tests/features/referrals/pool/referrals.ts";
import { freshDatabaseForEachTest, needs, rows } from "#tests/support/pool/start.ts";
import { sampleMilestones } from "#tests/support/sample-milestones.ts";

needs("referrals");
freshDatabaseForEachTest();

const HOUR = 3_600_000;

describe("where addresses are confirmed", () => {
  test("a friend is pending until they confirm, then counts, once", async () => {
    const { bring, join, confirm, friends, rulings } = referralHarness();
    const ada = await bring("ada@gmail.com");
    const grace = await join("grace@gmail.com", ada);
    expect(await friends(ada)).toEqual({ joined: 1, counted: 0 });
    expect(await rulings()).toEqual([null]);
    for (const _time of [1, 2]) await confirm(grace);
    expect(await friends(ada)).toEqual({ joined: 1, counted: 1 });
    expect(await rulings()).toEqual(["counted"]);
    expect(await friends(grace)).toEqual({ joined: 0, counted: 0 });
  });

  test("someone on the list already, or who was, brings nothing with a code: only a new entry has a referral", async () => {
    const { db, bring, enter, join, clock, rejoin, rulings } = referralHarness();
    const ada = await bring("ada@gmail.com");
    const grace = await bring("grace@gmail.com");
    await join("eve@gmail.com");
    await unsubscribeEntry(db, grace, clock.now);
    expect((await enter("grace@gmail.com", ada)).kind).toBe("unsubscribed");
    expect((await enter("eve@gmail.com", ada)).kind).toBe("listed");
    await rejoin(grace);
    expect(await rulings()).toEqual([]);
  });

  test("a friend who leaves before they confirm counts when they come back by their link, however late", async () => {
    const { db, bring, join, clock, rejoin, friends, pass } = referralHarness();
    const ada = await bring("ada@gmail.com");
    const grace = await join("grace@gmail.com", ada);
    await unsubscribeEntry(db, grace, clock.now);
    expect(await pass(20 * 24 * HOUR)).toBe(0);
    await rejoin(grace);
    expect(await friends(ada)).toEqual({ joined: 1, counted: 1 });
    expect(await pass(HOUR)).toBe(0);
  });

  test.each([
    ["the referrer's own mailbox, written otherwise", "a.da+1@googlemail.com", {}, "own-mailbox"],
    ["a mailbox that is on the list, written otherwise", "know.n+fair@gmail.com", {}, "known-mailbox"],
    ["a throwaway address", "grace@gmail.com", { disposable: true }, "throwaway"],
  ])("%s does not count", async (_, typed, more, ruling) => {
    const { bring, friends, rulings } = referralHarness();
    const ada = await bring("ada@gmail.com");
    await bring("known@gmail.com");
    await bring(typed, ada, more);
    expect(await rulings()).toEqual([ruling]);
    expect(await friends(ada)).toEqual({ joined: 1, counted: 0 });
  });

  test("a friend who confirms late counts, although their mailbox has joined under another spelling since", async () => {
    const { bring, join, confirm, rulings } = referralHarness();
    const ada = await bring("ada@gmail.com");
    const grace = await join("grace@gmail.com", ada);
    await join("gra.ce@gmail.com");
    await confirm(grace);
    expect(await rulings()).toEqual(["counted"]);
  });

  test("a mailbox that has counted once never counts again, not even after erasure and under another spelling", async () => {
    const { db, bring, clock, friends } = referralHarness();
    const [ada, bob] = [await bring("ada@gmail.com"), await bring("bob@gmail.com")];
    const grace = await bring("grace@gmail.com", ada);
    await eraseEntry(db, grace, clock.now);
    await bring("gra.ce+2@gmail.com", ada);
    const again = await bring("g.r.a.c.e@gmail.com", bob);
    await eraseEntry(db, again, clock.now);
    await bring("grace@gmail.com", bob);
    expect((await friends(ada)).counted).toBe(1);
    expect((await friends(bob)).counted).toBe(0);
  });

  test("someone who erased themselves and comes back through a friend's link does not count as new", async () => {
    const { db, bring, clock, friends } = referralHarness();
    const ada = await bring("ada@gmail.com");
    const grace = await bring("grace@gmail.com");
    const entries = await rows<{ id: number; address_hash: string }>("waitlist_emails");
    const addressHash = entries.find(({ id }) => id === grace)?.address_hash ?? "";
    await eraseOwnEntry(db, grace, addressHash, clock.now);
    await bring("grace@gmail.com", ada);
    expect(await friends(ada)).toEqual({ joined: 1, counted: 0 });
  });

  test("of many people at one private domain three count, for anyone, and the others wait, also after erasures and refusals", async () => {
    const { db, bring, clock, friends, rulings } = referralHarness();
    const ada = await bring("ada@gmail.com");
    const bob = await bring("bob@gmail.com");
    const first = await bring("one@family.example", ada);
    const names = ["two@family.example", "three@mail.family.example", "four@family.example", "five@x.y.family.example"];
    for (const name of names) await bring(name, ada);
    expect(await rulings()).toEqual(["counted", "counted", "counted", "one-domain", "one-domain"]);
    await eraseEntry(db, first, clock.now);
    await env.DB.exec("UPDATE referrals SET ruling = 'refused' WHERE ruling = 'counted'");
    await bring("six@family.example", bob);
    for (const name of ["one", "two"]) await bring(`${name}@club.co.uk`, bob);
    for (const name of ["one", "two"]) await bring(`${name}@guild.co.uk`, ada);
    expect((await rulings()).slice(-5)).toEqual(["one-domain", "counted", "counted", "counted", "counted"]);
    // At a large provider no one knows who belongs together.
    for (let n = 0; n < 8; n += 1) await bring(`friend${n}@gmail.com`, bob);
    expect((await friends(bob)).counted).toBe(2 + 8);
    expect(JSON.stringify(await rows("referred_domains"))).not.toContain("family");
  });

  test("of a service that forwards any number of addresses to one person three count too", async () => {
    const { bring, friends } = referralHarness();
    const ada = await bring("ada@gmail.com");
    for (let n = 0; n < 5; n += 1) await bring(`alias${n}@duck.com`, ada);
    expect(await friends(ada)).toEqual({ joined: 5, counted: 3 });
  });

  test("network and device never count against anyone", async () => {
    const { bring, friends } = referralHarness();
    const ada = await bring("ada@gmail.com", null, { network: 7 });
    for (let n = 0; n < 20; n += 1) await bring(`fair${n}@gmail.com`, ada, { network: 7 });
    expect((await friends(ada)).counted).toBe(20);
  });

  test("erasing a friend keeps the count and cuts the tie; erasing the referrer leaves the friend", async () => {
    const { db, bring, clock, friends } = referralHarness();
    const ada = await bring("ada@gmail.com");
    const grace = await bring("grace@gmail.com", ada);
    const eve = await bring("eve@gmail.com", ada);
    await eraseEntry(db, grace, clock.now);
    expect(await friends(ada)).toEqual({ joined: 2, counted: 2 });
    expect(await rows("referrals")).toMatchObject([{ entry_id: eve, referrer_id: ada }]);
    await eraseEntry(db, ada, clock.now);
    expect(await rows("referrals")).toMatchObject([{ entry_id: eve, referrer_id: null, ruling: "counted" }]);
    expect(await rows("referrers")).toEqual([]);
    expect(await friends(ada)).toEqual({ joined: 0, counted: 0 });
  });

  test("the code of someone who was erased, and one that is no one's, are decided alike and bring a friend to no one", async () => {
    const { db, bring, clock, rulings } = referralHarness();
    const ada = await bring("ada@gmail.com");
    await eraseEntry(db, ada, clock.now);
    await bring("grace@gmail.com", ada);
    await bring("eve@gmail.com", 2 ** 38);
    expect(await rows("referrals")).toMatchObject([{ referrer_id: null }, { referrer_id: null }]);
    expect(await rulings()).toEqual(["counted", "counted"]);
    expect(await rows("referrers")).toEqual([]);
    expect(await rows("referred_mailboxes")).toEqual([]);
  });
});

describe("milestones", () => {
  test("each is reached once, with one email, and stays reached", async () => {
    const { db, bring, clock, friends, reached, milestoneEmails } = referralHarness();
    const ada = await bring("ada@gmail.com");
    const ids: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      expect(await reached()).toEqual([]);
      ids.push(await bring(`friend${n}@gmail.com`, ada));
    }
    expect(await reached()).toEqual([[ada, 3]]);
    expect(await milestoneEmails()).toEqual([[ada, 3]]);
    for (const id of ids) await eraseEntry(db, id, clock.now);
    await bring("friend3@gmail.com", ada);
    expect(await friends(ada)).toEqual({ joined: 4, counted: 4 });
    expect(await reached()).toEqual([[ada, 3]]);
    for (let n = 4; n < 10; n += 1) await bring(`friend${n}@gmail.com`, ada);
    expect(await reached()).toEqual([
      [ada, 3],
      [ada, 10],
    ]);
    // It replaces the first one, which was not sent yet.
    expect(await milestoneEmails()).toEqual([[ada, 10]]);
  });

  test("a milestone that is added later is reached within the hour by everyone who has enough friends, with one email each", async () => {
    const { db, bring, clock, milestoneEmails } = referralHarness({ milestones: [] });
    const ids = [await bring("ada@gmail.com"), await bring("bob@gmail.com"), await bring("eve@gmail.com")];
    for (const [n, id] of [...ids, ...ids, ...ids.slice(1)].entries()) await bring(`friend${n}@gmail.com`, id);
    expect(await milestoneEmails()).toEqual([]);
    for (const _time of [1, 2]) await reachMilestones(db, clock.now, sampleMilestones);
    expect(await milestoneEmails()).toEqual([
      [ids[1], 3],
      [ids[2], 3],
    ]);
    // Neither is told of the first one again: the email is about what is new.
    await reachMilestones(db, clock.now + HOUR, [{ friends: 2, reward: "a tea towel" }, ...sampleMilestones]);
    expect(await milestoneEmails()).toEqual([
      [ids[1], 2],
      [ids[2], 2],
      [ids[0], 2],
    ]);
  });

  test("someone who has left is told nothing, and reaches it with the next friend after they are back", async () => {
    const { db, bring, clock, rejoin, reached, milestoneEmails } = referralHarness();
    const ada = await bring("ada@gmail.com");
    await unsubscribeEntry(db, ada, clock.now);
    for (let n = 0; n < 3; n += 1) await bring(`friend${n}@gmail.com`, ada);
    expect(await reached()).toEqual([]);
    expect(await milestoneEmails()).toEqual([]);
    await rejoin(ada);
    await bring("friend3@gmail.com", ada);
    expect(await milestoneEmails()).toEqual([[ada, 3]]);
  });

  test("someone who has brought friends before confirming reaches it when they confirm", async () => {
    const { bring, join, confirm, reached } = referralHarness();
    const ada = await join("ada@gmail.com");
    for (let n = 0; n < 3; n += 1) await bring(`friend${n}@gmail.com`, ada);
    expect(await reached()).toEqual([]);
    await confirm(ada);
    expect(await reached()).toEqual([[ada, 3]]);
  });

  test("100 friends who confirm at once are exactly 100, and reach each milestone once, with one email", async () => {
    const { bring, join, confirm, friends, reached, milestoneEmails } = referralHarness();
    const ada = await bring("ada@gmail.com");
    const ids: number[] = [];
    for (let n = 0; n < 100; n += 1) ids.push(await join(`friend${n}@gmail.com`, ada));
    await Promise.all([...ids, ...ids].map(confirm));
    expect(await friends(ada)).toEqual({ joined: 100, counted: 100 });
    expect(await reached()).toEqual([
      [ada, 3],
      [ada, 10],
    ]);
    expect(await milestoneEmails()).toEqual([[ada, 10]]);
  });
});

describe("where addresses are not confirmed", () => {
  test("a friend counts after a day, and there are no milestones", async () => {
    const { bring, pass, friends, reached } = referralHarness({ mustConfirm: false });
    const ada = await bring("ada@gmail.com");
    for (let n = 0; n < 12; n += 1) await bring(`friend${n}@gmail.com`, ada);
    expect(await pass(23 * HOUR)).toBe(0);
    expect(await friends(ada)).toEqual({ joined: 12, counted: 0 });
    expect(await pass(HOUR)).toBe(12);
    expect(await friends(ada)).toEqual({ joined: 12, counted: 12 });
    expect(await reached()).toEqual([]);
  });

  test("one who has left does not count, and what became of an email decides nothing", async () => {
    const { db, bring, pass, clock, rulings } = referralHarness({ mustConfirm: false });
    const ada = await bring("ada@gmail.com");
    const left = await bring("left@gmail.com", ada);
    const bounced = await bring("bounced@gmail.com", ada);
    await bring("waits@gmail.com", ada);
    await unsubscribeEntry(db, left, clock.now);
    await db.$client
      .prepare("UPDATE email_outbox SET dead_at = 1, reason = 'address-refused' WHERE entry_id = ?")
      .bind(bounced)
      .run();
    await pass(24 * HOUR, { isSent: false });
    expect(await rulings()).toEqual(["left", "settled", "settled"]);
  });

  test("of people at one private domain three count through each link, whoever has counted through others", async () => {
    const { bring, pass, friends } = referralHarness({ mustConfirm: false });
    const [ada, bob] = [await bring("ada@gmail.com"), await bring("bob@gmail.com")];
    for (const n of [1, 2, 3, 4]) await bring(`a${n}@family.example`, ada);
    await pass();
    await bring("b1@family.example", bob);
    await pass();
    expect(await friends(ada)).toEqual({ joined: 4, counted: 3 });
    expect(await friends(bob)).toEqual({ joined: 1, counted: 1 });
  });

  test("people who were asked to confirm when that was still on count like all others", async () => {
    const on = referralHarness();
    const ada = await on.bring("ada@gmail.com");
    await on.join("waits@gmail.com", ada);
    const confirms = await on.join("confirms@gmail.com", ada);
    const off = referralHarness({ mustConfirm: false });
    await off.confirm(confirms);
    expect(await off.friends(ada)).toEqual({ joined: 2, counted: 0 });
    expect(await off.pass()).toBe(2);
    expect(await off.rulings()).toEqual(["settled", "settled"]);
  });

  test("those who settled bring no one to a milestone, also once addresses are confirmed", async () => {
    const off = referralHarness({ mustConfirm: false });
    const ada = await off.bring("ada@gmail.com");
    for (let n = 0; n < 5; n += 1) await off.bring(`settled${n}@gmail.com`, ada);
    await off.pass();
    const on = referralHarness();
    await reachMilestones(on.db, on.clock.now, sampleMilestones);
    expect(await on.reached()).toEqual([]);
    for (let n = 0; n < 3; n += 1) {
      expect(await on.reached()).toEqual([]);
      await on.bring(`confirmed${n}@gmail.com`, ada);
    }
    expect(await on.friends(ada)).toEqual({ joined: 8, counted: 8 });
    expect(await on.reached()).toEqual([[ada, 3]]);
  });

  test("a list that was long without a run decides all of the last ten days, some with each run", async () => {
    const { bring, pass, friends } = referralHarness({ mustConfirm: false });
    const ada = await bring("ada@gmail.com");
    for (let n = 0; n < 25; n += 1) await bring(`friend${n}@gmail.com`, ada);
    expect(await pass()).toBe(20);
    expect(await pass(60_000)).toBe(5);
    expect((await friends(ada)).counted).toBe(25);
  });
});

test("hashes of mailboxes and domains are forgotten as entries are, within two hours", async () => {
  const { db, bring, clock } = referralHarness();
  const ada = await bring("ada@gmail.com");
  await bring("grace@club.example", ada);
  for (const months of [23, 25]) {
    const now = clock.now + months * 31 * 24 * HOUR - (months === 23 ? 40 * 24 * HOUR : 0);
    for (const hour of [0, 1]) await forgetReferred(db, now + hour * HOUR);
    const left = await Promise.all([rows("referred_mailboxes"), rows("referred_domains")]);
    expect(left.map(({ length }) => length)).toEqual(months === 23 ? [1, 1] : [0, 0]);
  }
});
