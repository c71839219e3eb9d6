import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { computeStats } from "#app/features/overview/stats.server.ts";
import { addVisits } from "#app/features/visits/add-visits.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation/confirmation.server.ts";
import type { Campaign } from "#app/waitlist/entries/campaign.ts";
import { join as addPerson, db, freshDatabaseForEachTest, type Joining, needs } from "#tests/support/pool/start.ts";

needs("visits");

freshDatabaseForEachTest();

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = 24 * 3_600_000;
const unlimited = Number.MAX_SAFE_INTEGER;

let people = 0;

/** @param back days before today */
function join(campaign: Campaign = {}, { back = 0, ...joining }: Joining & { back?: number } = {}) {
  people += 1;
  return addPerson(`ada${people}@example.com`, { now: NOON - back * DAY, ...campaign, ...joining });
}

const stats = (days = 30, timeZone = "UTC") => computeStats(db, { now: NOON, days, timeZone });

test("visits, sign-ups and confirmed addresses of each name stand together", async () => {
  await addVisits(
    db,
    [
      ["2026-11-20", "page", "/", 200],
      ["2026-11-20", "page", "/roadmap", 40],
      ["2026-11-20", "utm_source", "newsletter", 90],
      ["2026-11-20", "utm_source", "poster", 10],
      ["2026-11-20", "utm_source", "(other)", 7],
      ["2026-11-20", "referrer_host", "www.facebook.com", 30],
    ],
    unlimited,
  );
  for (const mustConfirm of [true, true, false]) await join({ utm_source: "newsletter" }, { mustConfirm });
  await confirmEntry(db, await join({ utm_source: "newsletter" }, { mustConfirm: true }), NOON);
  await join({ referrer_host: "www.facebook.com" });
  const { groups } = await stats();
  expect(groups.utm_source).toEqual([
    { name: "newsletter", people: 4, recent: 4, asked: 3, confirmed: 1, visits: 90 },
    { name: "", people: 1, recent: 1, asked: 0, confirmed: 0, visits: 133 },
    { name: "poster", people: 0, recent: 0, asked: 0, confirmed: 0, visits: 10 },
    { name: null, people: 0, recent: 0, asked: 0, confirmed: 0, visits: 7 },
  ]);
  expect(groups.referrer_host).toMatchObject([
    { name: "", people: 4, visits: 210 },
    { name: "www.facebook.com", people: 1, visits: 30 },
  ]);
  expect(groups.page).toMatchObject([
    { name: "/", visits: 200 },
    { name: "/roadmap", visits: 40 },
  ]);
});

test("names that differ in capitals are one group, as the owner wrote it, or else as most people came", async () => {
  await env.DB.exec("INSERT INTO links VALUES (1, '/', 'Facebook', '', '', 'owner@example.com', 0)");
  await addVisits(
    db,
    [
      ["2026-11-20", "page", "/", 9],
      ["2026-11-20", "utm_source", "facebook", 5],
      ["2026-11-20", "utm_source", "FaceBook", 1],
      ["2026-11-20", "utm_campaign", "Spring", 2],
    ],
    unlimited,
  );
  for (const utm_source of ["facebook", "facebook", "Facebook"]) await join({ utm_source, utm_campaign: "SPRING" });
  await join({ utm_campaign: "spring", utm_source: "poster" });
  const { groups } = await stats();
  expect(groups.utm_source).toMatchObject([
    { name: "Facebook", people: 3, visits: 6 },
    { name: "poster", people: 1, visits: 0 },
    { name: "", people: 0, visits: 3 },
  ]);
  expect(groups.utm_campaign).toMatchObject([
    { name: "SPRING", people: 4, visits: 2 },
    { name: "", people: 0, visits: 7 },
  ]);
});

test("the chosen period applies to every group", async () => {
  await join({ utm_campaign: "spring" }, { back: 31, source: "stall" });
  await join({ utm_campaign: "autumn" }, { back: 29 });
  for (const [day, campaign, visits] of [
    ["2026-10-22", "spring", 5],
    ["2026-10-23", "autumn", 3],
  ] as const) {
    await addVisits(
      db,
      [
        [day, "utm_campaign", campaign, visits],
        [day, "page", "/", visits],
      ],
      unlimited,
    );
  }
  const names = (groups: { name: string | null }[]) => groups.map(({ name }) => name);
  const month = (await stats(30)).groups;
  expect([names(month.source), names(month.utm_campaign)]).toEqual([["landing_page"], ["autumn"]]);
  expect(month.page).toMatchObject([{ visits: 3 }]);
  const quarter = (await stats(90)).groups;
  expect(names(quarter.source)).toEqual(["landing_page", "stall"]);
  expect(quarter.utm_campaign).toMatchObject([
    { name: "spring", visits: 5 },
    { name: "autumn", visits: 3 },
  ]);
});

test("people are counted by their answers, those who gave none together, and so are texts", async () => {
  for (let n = 0; n < 4; n += 1) await join();
  await env.DB.exec(`UPDATE waitlist_emails SET answers = '{"role":"host","town":"Leeds"}' WHERE id <= 2`);
  await env.DB.exec(`UPDATE waitlist_emails SET answers = '{"role":"both","town":"York","gone":"x"}' WHERE id = 3`);
  const { groups } = await stats();
  expect(groups["answer_role"]?.map(({ name, people: count }) => [name, count])).toEqual([
    ["host", 2],
    ["", 1],
    ["both", 1],
  ]);
  expect(groups["answer_town"]).toMatchObject([
    { name: "answered", people: 3 },
    { name: "", people: 1 },
  ]);
  expect(groups["answer_tent"]).toMatchObject([{ name: "", people: 4 }]);
  expect(groups).not.toHaveProperty("answer_gone");
});

test("today, the last full week and the chosen period are compared with the ones before", async () => {
  // The 21st is a Saturday.
  for (const back of [0, 0, 1, 5, 6, 12, 13, 29, 30, 59, 60]) await join({}, { back });
  for (const [day, visits] of [
    ["2026-11-21", 9],
    ["2026-11-20", 8],
    ["2026-11-16", 4],
    ["2026-11-15", 2],
    ["2026-10-22", 30],
  ] as const) {
    await addVisits(db, [[day, "page", "/", visits]], unlimited);
  }
  expect((await stats()).periods).toEqual({
    today: { joined: 2, visits: 9 },
    yesterday: { joined: 1, visits: 8 },
    lastWeek: { joined: 2, visits: 2 },
    weekBefore: { joined: 1, visits: 0 },
    chosen: { joined: 8, visits: 23 },
    before: { joined: 2, visits: 30 },
  });
  expect((await stats()).days.at(-1)).toMatchObject({ date: "2026-11-21", joined: 2, visits: 9 });
});
