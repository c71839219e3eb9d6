import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { milestones } from "#app/site.ts";
import { visibleText } from "#tests/support/pool/built.ts";
import {
  listedAddresses,
  loggedActions,
  signedInBrowser,
  technicalWords,
  withCookiesOf,
} from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";

needs("referrals");
freshStorageForEachTest();

const browser = signedInBrowser();
const { post, request } = browser;

/** Ada has brought Bob, who waits; Cyd, who was rejected; Dan, who counts; and Eve, who has yet to be decided. */
beforeEach(async () => {
  for (const name of ["ada", "bob", "cyd", "dan", "eve"]) await join(`${name}@example.com`);
  await env.DB.exec(
    "INSERT INTO referrals (entry_id, referrer_id, ruling, decided_at, note) VALUES (2, 1, 'one-domain', 1, NULL), (3, 1, 'throwaway', 1, NULL), (4, 1, 'counted', 1, NULL), (5, 1, NULL, NULL, NULL)",
  );
  await env.DB.exec("INSERT INTO referrers (entry_id, counted) VALUES (1, 1)");
});

const rulings = async () => (await rows<{ ruling: string }>("referrals")).map(({ ruling }) => ruling);
const counted = async () => (await rows<{ counted: number }>("referrers"))[0]?.counted;
const actions = async () => (await loggedActions()).map(([action]) => action);
const locationOf = ({ status, headers }: { status: number; headers: Headers }) => [status, headers.get("Location")];

test("the page has the numbers, what waits, what was rejected and why, and who has brought most", async () => {
  const { status, body } = await request("/owner/referrals");
  expect(status).toBe(200);
  const text = visibleText(body);
  expect(text).toContain("Joined through a link 4");
  expect(text).toContain("Counted 1");
  expect(text).toContain("1 referral waits for your decision.");
  expect(text).toContain("Not counted: throwaway address");
  expect(listedAddresses(body)).toEqual(["bob", "ada", "cyd", "ada", "ada"].map((name) => `${name}@example.com`));
  expect(technicalWords(body)).toEqual([]);
  expect(body).toContain('<a href="/owner/referrals" aria-current="page">Referrals</a>');
  const others = await request("/owner/referrals?list=counted");
  expect(listedAddresses(others.body)).toEqual(["dan", "ada", "ada"].map((name) => `${name}@example.com`));
});

describe("a decision", () => {
  test("counts a friend, with a note that the page shows, is in the log, and leads back to the list", async () => {
    const path = "/owner/referrals/2?page=2";
    expect(locationOf(await post(path, { intent: "accept", note: "The <craft> club" }))).toEqual([
      303,
      "/owner/referrals?page=2&done=accept-referral",
    ]);
    expect(locationOf(await post(path, { intent: "accept", note: "" }))).toEqual([
      303,
      "/owner/referrals?page=2&done=unchanged",
    ]);
    expect(await rulings()).toEqual(["accepted", "throwaway", "counted", null]);
    expect(await counted()).toBe(2);
    expect(await actions()).toEqual(["accept-referral"]);
    const { body } = await request("/owner/referrals?list=counted&done=accept-referral");
    expect(body).toContain("The friend counts now.");
    expect(body).toContain("The &lt;craft&gt; club");
    expect(visibleText((await request("/owner/log")).body)).toContain("Accepted a referral: entry 2");
  });

  test("refuses one that counted, from the friend’s entry", async () => {
    const { body } = await request("/owner/entries/4");
    expect(visibleText(body)).toContain("Came through the link of ada@example.com . Counted");
    const action = /action="(\/owner\/referrals[^"]*)"/.exec(body)?.[1] ?? "";
    expect(locationOf(await post(action, { intent: "refuse", note: "" }))).toEqual([
      303,
      "/owner/entries/4?done=refuse-referral",
    ]);
    expect(await counted()).toBe(0);
    expect(visibleText((await request("/owner/entries/4")).body)).toContain("Refused by an owner");
    expect(visibleText((await request("/owner/entries/1")).body)).toContain("Joined through their link 4 Counted 0");
  });

  test("with a note that is too long changes nothing, and keeps what was typed", async () => {
    const { status, body } = await post("/owner/referrals/2?from=entry", { intent: "accept", note: "x".repeat(2_001) });
    expect(status).toBe(422);
    expect(body).toContain("too long by 1 character");
    expect(body).toContain(`${"x".repeat(2_001)}</textarea>`);
    expect(body).toContain('action="/owner/referrals/2?from=entry"');
    expect(await rulings()).toEqual(["one-domain", "throwaway", "counted", null]);
    expect((await request("/owner/referrals/2?from=entry")).status).toBe(200);
  });

  test("that is unknown, about no referral, or undecided, changes nothing", async () => {
    expect((await post("/owner/referrals/2", { intent: "erase" })).status).toBe(400);
    for (const id of [1, 5, 99]) {
      expect(locationOf(await post(`/owner/referrals/${id}`, { intent: "accept" }))[1]).toContain("done=unchanged");
    }
    expect((await request("/owner/referrals/99")).status).toBe(404);
    expect(await rulings()).toEqual(["one-domain", "throwaway", "counted", null]);
    expect(await counted()).toBe(1);
  });
});

describe("milestones that were reached", () => {
  beforeEach(() => env.DB.exec("INSERT INTO reached_milestones VALUES (1, 3, 1, NULL), (1, 10, 1, NULL)"));

  const change = (fields: [string, string][]) =>
    post("/owner/referrals/rewards?list=counted", fields as unknown as Record<string, string>);
  const given = async () =>
    (await rows<{ rewarded_at: number | null }>("reached_milestones")).map(({ rewarded_at }) => rewarded_at !== null);

  test("are ticked as given and taken back, each in the log", async () => {
    expect(visibleText((await request("/owner/entries/1")).body)).toMatch(/Brought 3 friends .*reward not given yet/);
    const before = await request("/owner/referrals");
    expect(before.body).toMatch(/<input[^>]*aria-describedby="reached-1-3"[^>]*name="reward"[^>]*value="1.3"/);
    expect(technicalWords(before.body)).toEqual([]);
    const give: [string, string][] = [
      ["intent", "give-ticked"],
      ["shown", "1.3"],
      ["shown", "1.10"],
      ["reward", "1.3"],
    ];
    expect(locationOf(await change(give))).toEqual([303, "/owner/referrals?list=counted&done=give-reward"]);
    expect(locationOf(await change(give))[1]).toContain("done=unchanged");
    expect(await given()).toEqual([true, false]);
    expect(visibleText((await request("/owner/log")).body)).toContain("Marked a reward as given: entry 1 , 3 friends");
    const takeBack: [string, string][] = [
      ["intent", "take-back"],
      ["reward", "1.3"],
    ];
    expect(locationOf(await change(takeBack))[1]).toContain("done=take-back-reward");
    expect(await given()).toEqual([false, false]);
    expect(await actions()).toEqual(["give-reward", "take-back-reward"]);
  });

  test("are all marked as given with one press, and named as a number in the log", async () => {
    const [, form = ""] =
      /<form[^>]*id="give-rewards"[^>]*>(.*?)<\/form>/s.exec((await request("/owner/referrals")).body) ?? [];
    const shown = Array.from(form.matchAll(/name="shown" value="([^"]+)"/g), ([, value = ""]): [string, string] => [
      "shown",
      value,
    ]);
    expect(form).toContain("Mark all 2 on this page as given");
    expect(locationOf(await change([["intent", "give-shown"], ...shown]))[1]).toContain("done=give-rewards");
    expect(await given()).toEqual([true, true]);
    expect(visibleText((await request("/owner/log")).body)).toContain("Marked rewards as given: 2 rewards");
  });

  test("stay as they are if nothing is ticked, or what is sent names none", async () => {
    expect(
      locationOf(
        await change([
          ["intent", "give-ticked"],
          ["shown", "1.3"],
        ]),
      )[1],
    ).toContain("done=none-ticked");
    for (const reward of ["1", "x.3", "9.3", "1.4"])
      expect(
        (
          await change([
            ["intent", "give-ticked"],
            ["reward", reward],
          ])
        ).status,
      ).toBe(303);
    expect(
      (
        await change([
          ["intent", "give"],
          ["reward", "1.3"],
        ])
      ).status,
    ).toBe(400);
    expect(await given()).toEqual([false, false]);
    expect(await actions()).toEqual([]);
  });
});

describe("friends who wait", () => {
  beforeEach(async () => {
    await env.DB.exec("UPDATE referrals SET domain_hash = 'club' WHERE entry_id = 2");
    await env.DB.exec(
      "UPDATE referrals SET ruling = 'one-domain', domain_hash = CASE entry_id WHEN 3 THEN 'club' ELSE 'guild' END, decided_at = 1 WHERE entry_id IN (3, 4)",
    );
    await env.DB.exec("UPDATE waitlist_emails SET email = id || '@guild.example' WHERE id = 4");
    await env.DB.exec("DELETE FROM referrers");
  });

  const seenIn = (html: string) => /name="seen" value="(\d+)"/.exec(html)?.[1] ?? "";

  test("need attention on the overview, which leads to them", async () => {
    const { body } = await request("/owner");
    expect(visibleText(body)).toContain("3 friends at 2 domains wait for your decision.");
    expect(body).toContain('href="/owner/referrals#check"');
    await env.DB.exec("UPDATE referrals SET ruling = 'refused' WHERE ruling = 'one-domain'");
    expect(visibleText((await request("/owner")).body)).not.toContain("for your decision");
  });

  test("are decided by domain, which the page names and can show alone", async () => {
    const { body } = await request("/owner/referrals");
    const text = visibleText(body);
    expect(text).toContain("3 referrals wait for your decision.");
    expect(text).toMatch(/example.com 2 waiting 1 person Decide about 2 friends.*guild.example 1 waiting/s);
    const alone = await request("/owner/referrals?domain=guild");
    expect(visibleText(alone.body)).toContain("Only friends with addresses at guild.example.");
    expect(listedAddresses(alone.body)).toEqual(["4@guild.example", "ada@example.com", "ada@example.com"]);
    const form = { intent: "accept", domain: "club", seen: seenIn(body), note: "A real <club>" };
    expect(locationOf(await post("/owner/referrals?page=2", form))).toEqual([
      303,
      "/owner/referrals?done=accept-referrals",
    ]);
    expect(await rulings()).toEqual(["accepted", "accepted", "one-domain", null]);
    expect(await counted()).toBe(2);
    expect(await loggedActions()).toEqual([["accept-referrals", { friends: 2 }]]);
    expect(visibleText((await request("/owner/log")).body)).toContain("Accepted referrals: 2 friends");
    expect((await request("/owner/referrals?list=counted")).body).toContain("A real &lt;club&gt;");
  });

  test("are all decided with one press", async () => {
    const { body } = await request("/owner/referrals");
    expect(visibleText(body)).toContain("Decide about all 3 at once");
    const form = { intent: "refuse", seen: seenIn(body), note: "" };
    expect(locationOf(await post("/owner/referrals", form))[1]).toBe("/owner/referrals?done=refuse-referrals");
    expect(locationOf(await post("/owner/referrals", form))[1]).toBe("/owner/referrals?done=unchanged");
    expect(await rulings()).toEqual(["refused", "refused", "refused", null]);
    expect(await loggedActions()).toEqual([["refuse-referrals", { friends: 3 }]]);
  });

  test("stay as they are with a note that is too long, which is kept, and with a form that is not complete", async () => {
    const form = { intent: "accept", domain: "club", seen: String(Date.now()), note: "x".repeat(2_001) };
    const { status, body } = await post("/owner/referrals", form);
    expect(status).toBe(422);
    expect(body).toContain(`${"x".repeat(2_001)}</textarea>`);
    expect(body.match(/<details[^>]* open/g)).toHaveLength(1);
    for (const wrong of [{ intent: "erase" }, { seen: "x" }])
      expect((await post("/owner/referrals", { ...form, note: "", ...wrong })).status).toBe(400);
    expect(await rulings()).toEqual(["one-domain", "one-domain", "one-domain", null]);
  });
});

test.each([
  ["on", "Confirmation is on: a friend counts once they have confirmed"],
  ["off", "Confirmation is off: friends count a day after joining, but bring no one to a reward."],
])("the page says what rewards are, and that confirmation is %s", async (CONFIRM_ADDRESSES, text) => {
  const { body } = await withCookiesOf(browser, { CONFIRM_ADDRESSES }).request("/owner/referrals");
  expect(visibleText(body)).toContain(text);
  expect(technicalWords(body)).toEqual([]);
  if (milestones.length === 0) expect(visibleText(body)).toContain("A reward is what you promise");
  for (const { reward } of milestones) expect(visibleText(body)).toContain(reward);
});

test("referrers and milestones are downloaded, and the log says so", async () => {
  await env.DB.exec("INSERT INTO reached_milestones VALUES (1, 3, 1, NULL)");
  for (const [file, line] of [
    ["referrers", '"1","ada@example.com","4","1","3"'],
    ["milestones", '"ada@example.com","3",'],
  ] as const) {
    expect((await request(`/owner/referrals/${file}.csv`)).status).toBe(404);
    const { headers, body } = await post(`/owner/referrals/${file}.csv`);
    expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("Content-Disposition")).toMatch(new RegExp(`filename="${file}-\\d{4}-\\d\\d-\\d\\d.csv"`));
    expect(body).toContain(line);
  }
  const files = ["referrers", "milestones"];
  expect(await loggedActions()).toEqual(files.map((file) => ["export-referrals", { file }]));
});

test("the list is filtered by friends who count, with a chip that names the filter", async () => {
  const { body } = await request("/owner/entries?friends=1");
  expect(listedAddresses(body)).toEqual(["ada@example.com"]);
  expect(visibleText(body)).toContain("Friends counted, at least: 1");
  expect(body).toMatch(/<input[^>]* name="friends"[^>]*value="1"/);
  const wrong = await request("/owner/entries?friends=none");
  expect(visibleText(wrong.body)).toContain("“Friends counted, at least” must be a whole number from 1.");
});
