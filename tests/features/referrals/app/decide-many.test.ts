import { describe, expect, test } from "vitest";
import { acceptReferral, refuseReferral } from "#app/features/referrals/owner/referrals.server.ts";
import { decideWaiting, waitingDomains } from "#app/features/referrals/owner/waiting.server.ts";
import { planLimits } from "#app/server/config/plan-limits.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { referralHarness } from "#tests/features/referrals/pool/referrals.ts";
import { killedProcess, meteredD1 } from "#tests/support/pool/d1.ts";
import { countingMailer, OWNER } from "#tests/support/pool/emails.ts";
import { db, emptyDatabase, execute, freshDatabaseForEachTest, needs, rows } from "#tests/support/pool/start.ts";
import { sampleMilestones } from "#tests/support/sample-milestones.ts";

needs("referrals");
freshDatabaseForEachTest();

const NOW = Date.UTC(2026, 10, 21, 12);
const DOMAIN = "h".repeat(43);

const all = { intent: "accept", domain: null, seen: NOW, note: null, by: OWNER } as const;

function decide(decision: Partial<Parameters<typeof decideWaiting>[1]> = {}, deps = {}) {
  const given = { db, now: () => NOW, plan: planLimits.paid, ...deps };
  return decideWaiting(given, { ...all, ...decision }, sampleMilestones);
}

/** People whose friends wait: Ada's at a club and at a guild, Bob's at the club, and one of Ada's whose turn came later. */
async function addWaiting() {
  const { bring, clock } = referralHarness();
  clock.now = NOW - 1_000;
  const [ada, bob] = [await bring("ada@gmail.com"), await bring("bob@gmail.com")];
  for (let n = 0; n < 7; n += 1) await bring(`a${n}@club.example`, n % 2 === 0 ? ada : bob);
  for (let n = 0; n < 5; n += 1) await bring(`g${n}@guild.example`, ada);
  clock.now = NOW + 1_000;
  await bring("later@guild.example", ada);
  return { ada, bob };
}

/** Entries with ids from 10 on who wait, brought by the entry 1, of which there are ten at each domain. */
async function addMany(number: number) {
  await execute(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
    INSERT INTO waitlist_emails (id, email, source, metadata, created_at, address_hash, mailbox_hash)
    SELECT 9 + i, 'f' || i || '@d' || (i / 10) || '.example', 'landing_page', '{}', 1, 'a' || i, 'm' || i FROM n`,
    number,
  );
  await execute(
    `INSERT INTO referrals (entry_id, referrer_id, ruling, decided_at, domain_hash)
    SELECT id, 1, 'one-domain', 1, 'd' || ((id - 9) / 10) FROM waitlist_emails WHERE id > 9`,
  );
}

/** Everything that deciding changes, but for the random ids of emails. */
async function outcome() {
  const tables = ["referrals", "referrers", "referred_mailboxes", "referred_domains", "reached_milestones"];
  const stored = await Promise.all(tables.map((name) => rows(name)));
  const emails = await rows<{ kind: string; entry_id: number; data: string }>("email_outbox");
  return [...stored, emails.map(({ kind, entry_id, data }) => [kind, entry_id, data])];
}

const waiting = async () =>
  (await rows<{ ruling: string }>("referrals")).filter(({ ruling }) => ruling === "one-domain").length;

describe("deciding many at once", () => {
  test.each(["accept", "refuse"] as const)("has the effects of deciding one by one: %s", async (intent) => {
    await addWaiting();
    const isMeant = ({ ruling, decided_at }: { ruling: string; decided_at: number }) =>
      ruling === "one-domain" && decided_at <= NOW;
    const one = intent === "accept" ? acceptReferral : refuseReferral;
    const before = (await rows<{ entry_id: number; ruling: string; decided_at: number }>("referrals")).filter(isMeant);
    expect(before).toHaveLength(6);
    for (const { entry_id: entryId } of before) await one(db, { entryId, note: "Club", now: NOW }, sampleMilestones);
    const expected = await outcome();
    await emptyDatabase();
    await addWaiting();
    expect(await decide({ intent, note: "Club" })).toEqual({ decided: 6 });
    expect(await outcome()).toEqual(expected);
    expect(await decide({ intent })).toEqual({ decided: 0 });
  });

  test("of one domain leaves the others waiting, and those who wait since the owner looked", async () => {
    const { ada } = await addWaiting();
    const domains = await waitingDomains(db, { domain: null, limit: 10 });
    expect(domains).toMatchObject([
      { friends: 4, people: 2, example: "a3@club.example" },
      { friends: 3, people: 1, example: "g3@guild.example" },
    ]);
    const [club, guild] = domains.map(({ domain }) => domain);
    expect(await decide({ domain: guild ?? "" })).toEqual({ decided: 2 });
    expect(await waitingDomains(db, { domain: guild ?? "", limit: 10 })).toMatchObject([{ friends: 1 }]);
    expect(await waitingDomains(db, { domain: club ?? "", limit: 10 })).toMatchObject([{ friends: 4 }]);
    expect(await rows<object>("referrers")).toContainEqual({ entry_id: ada, counted: 7, confirmed: 7 });
    expect(await decide({ domain: DOMAIN })).toEqual({ decided: 0 });
  });

  test("leaves out the friends of someone who was erased", async () => {
    const { ada } = await addWaiting();
    await eraseEntry(db, ada, NOW);
    expect(await decide()).toEqual({ decided: 2 });
  });

  test("accepted and refused at once, each friend is decided once, and the number fits", async () => {
    const { ada, bob } = await addWaiting();
    const [accepted, refused] = await Promise.all([decide(), decide({ intent: "refuse" })]);
    expect(accepted.decided + refused.decided).toBe(6);
    const counted = (await rows<{ ruling: string }>("referrals")).filter(({ ruling }) =>
      ["counted", "accepted"].includes(ruling),
    ).length;
    const referrers = await rows<{ entry_id: number; counted: number }>("referrers");
    expect(referrers.map(({ entry_id }) => entry_id)).toEqual([ada, bob]);
    expect(referrers.reduce((sum, row) => sum + row.counted, 0)).toBe(counted);
  });
});

describe("thousands", () => {
  test("are decided in chunks: a press makes few statements, and the next press goes on", async () => {
    const { bring } = referralHarness();
    const ada = await bring("ada@gmail.com");
    await addMany(5_700);
    const { d1, executed } = meteredD1();
    expect(await decide({}, { db: openDb(d1) })).toEqual({ decided: 5_000, left: "press" });
    expect(executed.length).toBeLessThan(planLimits.paid.subrequests / 10);
    expect(await waiting()).toBe(700);
    expect(await decide()).toEqual({ decided: 700 });
    expect(await rows<object>("referrers")).toEqual([{ entry_id: ada, counted: 5_700, confirmed: 5_700 }]);
    expect(await rows<object>("reached_milestones")).toHaveLength(sampleMilestones.length);
  });

  test("on the free plan as many a day as leave room for sign-ups, and in few statements", async () => {
    const { bring } = referralHarness();
    await bring("ada@gmail.com");
    await addMany(400);
    const { d1, executed, rowsWritten } = meteredD1();
    const free = { db: openDb(d1), plan: planLimits.free };
    expect(await decide({}, free)).toEqual({ decided: 300, left: "day" });
    expect(executed.length).toBeLessThan(planLimits.free.subrequests / 2);
    expect(rowsWritten()).toBeLessThanOrEqual(2 * planLimits.free.changedRecordsADay);
    expect(await decide({}, free)).toEqual({ decided: 0, left: "day" });
    expect(await decide({}, { ...free, now: () => NOW + 12 * 3_600_000 })).toEqual({ decided: 100 });
  });

  const kills = (["before", "after"] as const).flatMap((when) => [1, 2, 3, 4].map((step) => ({ step, when })));

  test.each(kills)("a press that is killed $when step $step and repeated counts each once", async ({ step, when }) => {
    const { bring, milestoneEmails } = referralHarness();
    const ada = await bring("ada@gmail.com");
    await addMany(1_100);
    const killed = killedProcess(countingMailer().mailer, { step, when });
    await killed.untilDead(decide({}, { db: openDb(killed.d1) }));
    expect(killed.wasKilled()).toBe(true);
    const decided = 1_100 - (await waiting());
    expect(decided % 500 === 0 || decided === 1_100).toBe(true);
    await decide();
    expect(await waiting()).toBe(0);
    expect(await rows<object>("referrers")).toEqual([{ entry_id: ada, counted: 1_100, confirmed: 1_100 }]);
    expect(await milestoneEmails()).toEqual([[ada, 10]]);
    const logged = await rows<{ details: string }>("owner_log");
    expect(logged.reduce((sum, { details }) => sum + JSON.parse(details).friends, 0)).toBe(1_100);
  });
});
