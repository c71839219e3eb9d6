import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { readFunnel, referrerLines, topReferrers } from "#app/features/referrals/owner/referrers.server.ts";
import { listReachedMilestones, milestoneLines } from "#app/features/referrals/owner/rewards.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { addEntries, db, freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const NOW = Date.UTC(2026, 10, 21, 12);
const milestones = [{ friends: 3, reward: "=a free stall fee" }];

/** Entries, of which some joined through another's link: `[friend, referrer, ruling]`. */
async function refer(...given: [friend: number, referrer: number | null, ruling: string | null][]) {
  for (const referral of given) {
    await env.DB.prepare(
      "INSERT INTO referrals (entry_id, referrer_id, ruling, decided_at, note) VALUES (?, ?, ?, 1, NULL)",
    )
      .bind(...referral)
      .run();
  }
  await env.DB.exec(
    "INSERT INTO referrers (entry_id, counted) SELECT referrer_id, count(*) FROM referrals WHERE ruling IN ('counted', 'accepted') GROUP BY 1",
  );
}

const textOf = async (lines: AsyncGenerator<string>) => (await Array.fromAsync(lines)).join("");

test("the funnel counts people, visits and friends; those who were erased still count", async () => {
  await addEntries(9);
  await refer(
    [3, 1, "counted"],
    [4, 1, "accepted"],
    [5, 2, "one-domain"],
    [6, 2, "throwaway"],
    [7, 1, null],
    [8, null, null],
  );
  await env.DB.exec(`INSERT INTO page_visits (day, counts) VALUES ('2026-11-20', '{"page":{"/":9},"via":{"link":4}}')`);
  await env.DB.exec(`INSERT INTO page_visits (day, counts) VALUES ('2026-11-21', '{"via":{"link":3}}')`);
  await env.DB.exec(`INSERT INTO page_visits (day, counts) VALUES ('2026-11-22', '{"page":{"/":1}}')`);
  const funnel = { people: 2, visits: 7, joined: 5, counted: 2, waiting: 1 };
  expect(await readFunnel(db)).toEqual(funnel);
  await eraseEntry(db, 3, NOW);
  expect(await readFunnel(db)).toEqual(funnel);
  await eraseEntry(db, 6, NOW);
  expect(await readFunnel(db)).toEqual({ ...funnel, joined: 4 });
});

test("top referrers go by friends who count, then by those who joined", async () => {
  await addEntries(20);
  await refer(
    [10, 1, "counted"],
    [11, 2, "counted"],
    [12, 2, "left"],
    [13, 3, "counted"],
    [14, 3, "counted"],
    [15, 4, "throwaway"],
    [16, 4, null],
    [17, 5, null],
  );
  await env.DB.exec("INSERT INTO reached_milestones VALUES (3, 10, 1, NULL), (3, 3, 1, NULL)");
  await eraseEntry(db, 13, NOW);
  expect(await topReferrers(db)).toEqual([
    { entryId: 3, email: "ada3@example.com", joined: 2, counted: 2, milestones: "3, 10" },
    { entryId: 2, email: "ada2@example.com", joined: 2, counted: 1, milestones: null },
    { entryId: 1, email: "ada1@example.com", joined: 1, counted: 1, milestones: null },
    { entryId: 4, email: "ada4@example.com", joined: 2, counted: 0, milestones: null },
    { entryId: 5, email: "ada5@example.com", joined: 1, counted: 0, milestones: null },
  ]);
});

test("the list of top referrers has 50 people, the file all of them, in pages", async () => {
  await addEntries(4_200);
  await env.DB.exec(
    "INSERT INTO referrals (entry_id, referrer_id, ruling, decided_at, note) SELECT id, id - 2100, iif(id % 2, 'counted', NULL), 1, NULL FROM waitlist_emails WHERE id > 2100",
  );
  await env.DB.exec(
    "INSERT INTO referrers (entry_id, counted) SELECT referrer_id, 1 FROM referrals WHERE ruling = 'counted'",
  );
  await eraseEntry(db, 2_101, NOW);
  expect(await topReferrers(db)).toHaveLength(50);
  const lines = (await textOf(referrerLines(db))).trimEnd().split("\r\n");
  expect(lines[0]).toBe('\ufeff"id","email","joined","counted","milestones"');
  expect(lines).toHaveLength(2_101);
  expect(lines[1]).toBe('"1","ada1@example.com","1","1",""');
  expect(lines[2]).toBe('"2","ada2@example.com","1","0",""');
});

test("no address or reward becomes a formula in a file", async () => {
  await addEntries(2);
  await env.DB.exec("UPDATE waitlist_emails SET email = '=cmd@example.com' WHERE id = 1");
  await refer([2, 1, "counted"]);
  await env.DB.exec(`INSERT INTO reached_milestones VALUES (1, 3, ${NOW}, NULL), (1, 10, ${NOW}, ${NOW})`);
  expect(await textOf(referrerLines(db))).toContain(`"1","'=cmd@example.com","1","1","3, 10"`);
  expect((await textOf(milestoneLines(db, milestones))).split("\r\n").slice(1, 3)).toEqual([
    `"'=cmd@example.com","3","'=a free stall fee","2026-11-21T12:00:00.000Z",""`,
    `"'=cmd@example.com","10","","2026-11-21T12:00:00.000Z","2026-11-21T12:00:00.000Z"`,
  ]);
});

test("milestones without their reward come first, then the newest, in pages", async () => {
  await addEntries(30);
  await env.DB.exec("INSERT INTO reached_milestones SELECT id, 3, id, iif(id % 2, 5, NULL) FROM waitlist_emails");
  const [first, second] = await Promise.all([listReachedMilestones(db, 1), listReachedMilestones(db, 2)]);
  const ids = [...first.reached, ...second.reached].map(({ entryId }) => entryId);
  const down = Array.from({ length: 30 }, (_, index) => 30 - index);
  expect(ids).toEqual([...down.filter((id) => id % 2 === 0), ...down.filter((id) => id % 2 === 1)]);
  expect([first.hasNext, second.hasNext]).toEqual([true, false]);
});
