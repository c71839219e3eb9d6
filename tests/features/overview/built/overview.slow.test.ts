import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { recipientStates } from "#app/server/db/recipient-reasons.ts";
import { founder, launchDate, questions } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { visibleText } from "#tests/support/pool/built.ts";
import {
  listedAddresses,
  loggedActions,
  signedInBrowser,
  technicalWords,
  withCookiesOf,
} from "#tests/support/pool/owner.ts";
import {
  addEntries,
  db,
  execute,
  freshStorageForEachTest,
  join,
  needs,
  rows,
  seedEntries,
} from "#tests/support/pool/start.ts";
import { answersTo, answersToAll, choiceQuestions } from "#tests/support/site-answers.ts";

/* The overview: its first steps, numbers and groups, what needs attention, and what it says of emails. */

freshStorageForEachTest();

const TODAY = "2026-11-21";
const DAY = 24 * 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse(`${TODAY}T12:00:00Z`), toFake: ["Date"] });
  return () => void vi.useRealTimers();
});

const browser = signedInBrowser({ MAIL_PER_HOUR: "4" });

const overview = async (path = "/owner") => visibleText((await browser.request(path)).body);

const EMAIL = "Check that email works";
const SIGN_UP = "Get the first sign-up";
/** What the site of the tests has already, by its files. */
const doneHere = founder === null ? {} : { founder: "done" };

/** The titles of the steps that are to be done and that were done; null if the overview shows none. */
async function steps(path = "/owner"): Promise<{ open: string[]; done: string[] } | null> {
  const { status, body } = await browser.request(path);
  expect(status).toBe(200);
  const [, section] = /<(?:section|details) class="panel steps"[^>]*>(.*?)<\/(?:section|details)>/s.exec(body) ?? [];
  if (section === undefined) return null;
  const [, done = ""] = /<ul class="[^"]*done-steps">(.*?)<\/ul>/s.exec(section) ?? [];
  const titles = (html: string, tag: string) =>
    Array.from(html.matchAll(new RegExp(`<${tag}>([^<]*)`, "g")), ([, title = ""]) => title.replace("&#x27;", "'"));
  return { open: titles(section, "h3"), done: titles(done.replaceAll(/<span[^>]*>Done: <\/span>/g, ""), "li") };
}

const unsendEmails = () => env.DB.exec("UPDATE email_outbox SET done_at = NULL");
const change = (intent: string, step: string) => browser.post("/owner/steps", { intent, step });
/** What was stored while the page was being sent. */
const settled = async () =>
  Object.fromEntries(
    (await rows<{ key: string; outcome: string }>("settled_steps")).map(({ key, outcome }) => [key, outcome]),
  );

test("until the first sign-up there are steps instead of charts, and nothing is computed", async () => {
  await unsendEmails();
  const { body } = await browser.request("/owner");
  expect((await steps())?.open.slice(0, 2)).toEqual([EMAIL, SIGN_UP]);
  expect(body).not.toMatch(/<svg[^>]*class="chart|<table|class="tiles"/);
  expect(technicalWords(body)).toEqual([]);
  expect(await rows("stats")).toEqual([]);
  await join("ada@example.com");
  const after = (await browser.request("/owner")).body;
  expect(visibleText(after)).toContain("1 can get email Joined in total 1");
  expect(after.indexOf("first-steps")).toBeLessThan(after.indexOf('class="tiles"'));
});

test("the steps tick themselves off in any order, and what was done once stays done", async () => {
  // The sign-in link came by email.
  expect(await steps()).toMatchObject({ done: [EMAIL], open: expect.arrayContaining([SIGN_UP]) });
  await unsendEmails();
  expect(await steps()).toMatchObject({ done: [EMAIL] });
  await join("ada@example.com");
  expect((await steps())?.done).toEqual([EMAIL, SIGN_UP]);
  expect(await settled()).toEqual({ email: "done", "sign-up": "done", ...doneHere });
  await eraseEntry(db, 1, Date.now());
  await execute("DELETE FROM erased_totals");
  expect((await steps())?.done).toEqual([EMAIL, SIGN_UP]);
});

test("lead through what this site lacks", async () => {
  const full = withCookiesOf(browser, {
    CONTACT_EMAIL: "ada@market.co.uk",
    SURVEY_URL: "https://survey.market.co.uk/",
  });
  expect((await steps())?.open).toContain("Set a contact address");
  expect(visibleText((await full.request("/owner")).body)).not.toContain("CONTACT_EMAIL");
  if (switches.survey) expect((await steps())?.done).toContain("Open a survey");
  expect((await steps())?.done).toContain("Set a contact address");
  if (founder === null) expect((await steps())?.open).toContain("Say who you are");
  await execute("INSERT INTO settings VALUES (1, ?, 1)", '{"FOUNDER_NAME":"Ada","FOUNDER_NOTE":"Hello."}');
  await withCookiesOf(browser, { RENDER_CACHE: "off" }).request("/owner");
  expect((await steps())?.done).toContain("Say who you are");
});

test("a step that is not needed is gone for all owners, in the log, and can be brought back", async () => {
  await join("ada@example.com");
  const before = (await steps())?.open ?? [];
  const [, key = ""] = /name="step" value="([^"]+)"/.exec((await browser.request("/owner")).body) ?? [];
  const { status, headers } = await change("dismiss", key);
  expect([status, headers.get("Location")]).toEqual([303, "/owner?done=dismiss-step"]);
  expect((await change("dismiss", key)).headers.get("Location")).toBe("/owner?done=unchanged");
  expect((await steps())?.open).toEqual(before.slice(1));
  const { body } = await browser.request("/owner");
  expect(body).toContain('href="/owner?steps=dismissed#dismissed-steps"');
  expect(body).not.toContain("Bring back");
  expect((await browser.request("/owner?steps=dismissed")).body).toContain("Bring back");
  expect((await change("restore", key)).headers.get("Location")).toBe("/owner?done=restore-step");
  expect((await change("restore", key)).headers.get("Location")).toBe("/owner?done=unchanged");
  expect((await steps())?.open).toEqual(before);
  expect(await loggedActions()).toEqual(["dismiss-step", "restore-step"].map((action) => [action, { step: key }]));
});

test("no step that is unknown or done can be dismissed, and none answers to a GET", async () => {
  await browser.request("/owner");
  for (const [intent, step] of [
    ["dismiss", "nothing"],
    ["erase", "email"],
  ] as const)
    expect((await change(intent, step)).status).toBe(400);
  expect((await change("dismiss", "email")).headers.get("Location")).toBe("/owner?done=unchanged");
  expect((await change("restore", "email")).headers.get("Location")).toBe("/owner?done=unchanged");
  expect((await browser.request("/owner/steps?intent=dismiss&step=link")).status).toBe(404);
  expect((await settled())["email"]).toBe("done");
});

test("once all are done or dismissed the list is gone", async () => {
  await join("ada@example.com");
  const { body } = await browser.request("/owner");
  for (const [, key = ""] of body.matchAll(/name="step" value="([^"]+)"/g)) await change("dismiss", key);
  expect(await steps()).toBeNull();
  expect((await browser.request("/owner")).body).toContain("Show dismissed steps");
});

test("the first step says what keeps email from working", async () => {
  await unsendEmails();
  expect((await browser.request("/owner")).body).toContain("ask for a sign-in link");
  const unset = withCookiesOf(browser, { MAIL_FROM: "" });
  expect((await unset.request("/owner")).body).toContain("Advanced: set MAIL_FROM");
  await execute(
    "INSERT INTO email_pauses (scope, reason, until, created_at) VALUES ('all', 'wrong-key', ?, 1)",
    Date.now() + 3_600_000,
  );
  expect((await browser.request("/owner")).body).toContain("The email provider refused the API key");
});

test("shows zeros for a list on which no one can get email", async () => {
  await eraseEntry(db, await join("ada@example.com"), Date.now());
  await join("bob@example.com", { mustConfirm: true });
  const { body } = await browser.request("/owner");
  const text = visibleText(body);
  expect(text).toContain("0 can get email Unconfirmed 1 Erased 1 Joined in total 2");
  expect(text).toContain("shown once 10 people have joined");
  expect(text).toContain("Blocked attempts: none in the last 30 days.");
  expect(body).not.toMatch(/NaN|undefined|null/);
});

test("shows sign-ups, sources, campaigns, emails and blocked attempts", async () => {
  for (const name of ["ada", "bob", "cyd"]) await join(`${name}@example.com`, { utm_campaign: "autumn_fair" });
  await join("dan@example.com", { source: "stall" });
  await addEntries(10, Date.now() - 1_000);
  await unsubscribeEntry(db, 1, Date.now());
  const dead = "UPDATE email_outbox SET dead_at = 1, reason = 'address-refused' WHERE entry_id = 2";
  await env.DB.prepare(dead).run();
  await env.DB.prepare("INSERT INTO blocked_attempts (day, reason, count) VALUES (?, 'honeypot', 7)").bind(TODAY).run();
  for (const [days, rows, latest] of [
    [30, 30, "21 Nov 2026"],
    [90, 90, "21 Nov 2026"],
    // A year by weeks, which their first day names.
    [365, 52, "15 Nov 2026"],
  ] as const) {
    const { body } = await browser.request(`/owner?days=${days}`);
    const text = visibleText(body);
    for (const numbers of [
      "13 can get email Unsubscribed 1 Joined in total 14",
      `${latest} 14 14`,
      "Main form 13 stall 1",
      switches.visits ? "No campaign 11 0 – autumn_fair 3 0 –" : "No campaign 11 autumn_fair 3",
      "Sent in 90 days 0 Waiting 2 Failed 1",
      `${latest} Filled in the hidden field 7`,
    ])
      expect(text).toContain(numbers);
    expect(body.match(/<tr><th scope="row">\d{1,2} \w+ \d{4}<\/th><td class="number"[^>]*>/g)).toHaveLength(rows);
  }
  expect((await browser.request("/owner?days=1e9")).body).toContain("last 30 days");
});

describe("with visits", () => {
  needs("visits");

  test("says when they are not counted any more today", async () => {
    await join("ada@example.com");
    const stopped = "has counted 10,000 visits today and stops until midnight";
    expect((await browser.request("/owner")).body).not.toContain(stopped);
    const counts = JSON.stringify({ page: { "/": 9_000, "/roadmap": 1_000 } });
    await execute("INSERT INTO page_visits (day, counts) VALUES (?, ?)", TODAY, counts);
    await browser.post("/owner/stats", {});
    expect((await browser.request("/owner")).body).toContain(stopped);
  });

  test("shows them, the share that joined and confirmed, and links every group to its entries", async () => {
    const counts = { page: { "/": 40 }, utm_campaign: { autumn_fair: 8, "(other)": 2 } };
    await execute("INSERT INTO page_visits (day, counts) VALUES (?, ?)", TODAY, JSON.stringify(counts));
    for (const name of ["ada", "bob"])
      await join(`${name}@example.com`, { utm_campaign: "autumn_fair", mustConfirm: true });
    await env.DB.exec("UPDATE waitlist_emails SET confirmed_at = 1 WHERE id = 1");
    const answers = JSON.stringify(answersToAll(0));
    await env.DB.prepare("UPDATE waitlist_emails SET answers = ? WHERE id = 1").bind(answers).run();
    await join("cyd@example.com", { utm_source: "poster & co" });
    await addEntries(10, Date.now());
    const { body } = await browser.request("/owner");
    const text = visibleText(body);
    for (const numbers of [
      "Visits 40 None in the 30 days before",
      "Joined 13 32.5% of 40 visits None in the 30 days before",
      "Confirmed 1 50% of 2 asked",
      "Today 13 0 yesterday",
      "No campaign 11 30 36.7% – autumn_fair 2 8 25% 1 of 2 All others 0 2 0% –",
    ])
      expect(text).toContain(numbers);
    const links = Array.from(body.matchAll(/href="\/owner\/entries\?([^"]*)"/g), ([, query = ""]) =>
      query.replaceAll("&amp;", "&").replace(`from=2026-10-23&until=${TODAY}`, "…"),
    );
    expect(links).toEqual(
      expect.arrayContaining([
        "…",
        "confirmation=confirmed&…",
        "utm_campaign=autumn_fair&…",
        "without=utm_campaign&…",
        "utm_source=poster+%26+co&…",
        "without=utm_source&…",
        "without=referrer_host&…",
        ...questions.map((question) => `without=${answerField(question)}&…`),
        ...choiceQuestions.map((question) => `${answerField(question)}=${answersTo(question)[0]}&…`),
        "source=landing_page&…",
        `from=${TODAY}&until=${TODAY}`,
      ]),
    );
  });
});

describe("a month or other dates", () => {
  const october = "from=2026-10-01&until=2026-10-31";

  /** Ten people from October's fair, and one from today's poster. */
  async function addPeople() {
    await addEntries(10, Date.parse("2026-10-05T12:00:00Z"));
    await env.DB.exec("UPDATE waitlist_emails SET utm_source = 'fair', created_at = created_at");
    await join("ada@example.com", { utm_source: "poster" });
  }

  test("are shown with what the days had, and not with today's numbers", async () => {
    await addPeople();
    const { body } = await browser.request(`/owner?${october}`);
    const text = visibleText(body);
    expect(text).toContain("October 2026");
    expect(text).toContain("11 can get email");
    expect(text).toMatch(/Joined 10 (None in|\+)/);
    expect(text).toContain("31 Oct 2026 0 10");
    expect(text).toContain("Blocked attempts: none from 1 Oct 2026 to 31 Oct 2026.");
    expect(text).not.toMatch(/\bToday \d|hatched|Last full week|recent first/);
    expect(body).not.toContain("utm_source=poster");
    expect(body).toContain(`href="/owner/entries?utm_source=fair&amp;${october.replace("&", "&amp;")}"`);
    const action = /<form[^>]*action="(\/owner\/stats[^"]*)"/.exec(body)?.[1]?.replaceAll("&amp;", "&") ?? "no form";
    expect((await browser.post(action)).headers.get("Location")).toBe(`/owner?${october}`);
  });

  test("are one press away: the last month, and from there any since the first sign-up", async () => {
    await addPeople();
    const monthsOf = (body: string) => {
      const [, months = ""] = /<nav class="pills" aria-label="Month">(.*?)<\/nav>/s.exec(body) ?? [];
      return Array.from(months.matchAll(/href="\/owner\?([^"]*)"([^>]*)>([^<]*)/g), ([, query = "", current, text]) => [
        text,
        query.replaceAll("&amp;", "&"),
        current?.includes("aria-current"),
      ]);
    };
    const { body } = await browser.request("/owner");
    expect(body).toContain(`href="/owner?${october.replace("&", "&amp;")}">Months<`);
    expect(monthsOf(body)).toEqual([]);
    expect(monthsOf((await browser.request(`/owner?${october}`)).body)).toEqual([
      ["Nov 2026", "from=2026-11-01&until=2026-11-21", false],
      ["Oct 2026", october, true],
    ]);
    await join("old@example.com", { now: Date.parse("2024-02-29T12:00:00Z") });
    const all = monthsOf((await browser.request("/owner?from=2026-02-01&until=2026-02-28")).body);
    expect([all.length, all.at(-1)]).toEqual([12, ["Dec 2025", "from=2025-12-01&until=2025-12-31", false]]);
    expect(all[9]).toEqual(["Feb 2026", "from=2026-02-01&until=2026-02-28", true]);
  });

  test.each([
    ["from=2026-10-31&until=2026-10-01", "not after the last one"],
    ["from=2026-10-01&until=2026-11-22", "not after today"],
    ["from=2025-11-19&until=2026-11-20", "at most 366 days"],
    ["from=2026-02-30&until=2026-03-01", "Choose two dates"],
    ["from=x&until=", "Choose two dates"],
  ])("%s: the page says what is wrong, keeps what was typed and shows the usual days", async (query, problem) => {
    await addPeople();
    const { status, body } = await browser.request(`/owner?${query}`);
    expect(status).toBe(422);
    expect(visibleText(body)).toMatch(new RegExp(`${problem}.*`));
    expect(body).toContain(`value="${new URLSearchParams(query).get("from")}"`);
    expect(visibleText(body)).toContain("The last 30 days");
    expect(await rows("stats")).toHaveLength(switches.pioneerCount ? 2 : 1);
  });
});

describe("groups of people", () => {
  const sourcesIn = (body: string, heading: string) => {
    const [, section = ""] = new RegExp(`>${heading}</h2>(.*?)</section>`, "s").exec(body) ?? [];
    return Array.from(section.matchAll(/<th scope="row"[^>]*>(?:<a[^>]*>)?([^<]*)/g), ([, name]) => name);
  };

  test("by which people came lately stand first, and in a period that is over the largest", async () => {
    await addEntries(12, Date.now() - 10 * DAY);
    await env.DB.exec("UPDATE waitlist_emails SET utm_campaign = iif(id <= 8, 'old_fair', 'older_fair')");
    await join("ada@example.com", { utm_campaign: "new_fair" });
    expect(sourcesIn((await browser.request("/owner")).body, "By campaign")).toEqual([
      "new_fair",
      "old_fair",
      "older_fair",
    ]);
    const past = `/owner?from=2026-10-30&until=${new Date(Date.now() - DAY).toISOString().slice(0, 10)}`;
    await join("bob@example.com", { utm_campaign: "yesterdays_fair", now: Date.now() - DAY });
    expect(sourcesIn((await browser.request(past)).body, "By campaign")).toEqual([
      "old_fair",
      "older_fair",
      "yesterdays_fair",
    ]);
  });

  test("are all on a page of their own, where more than a dozen lead to it", async () => {
    await addEntries(30, Date.now());
    await env.DB.exec("UPDATE waitlist_emails SET utm_source = 'stall_' || (id % 20)");
    const { body } = await browser.request("/owner");
    const shown = sourcesIn(body, "By campaign source");
    expect([shown.length, shown.at(-1)]).toEqual([13, "All others"]);
    const path = /href="(\/owner\/groups[^"]*)">All others/.exec(body)?.[1]?.replaceAll("&amp;", "&") ?? "no link";
    expect(path).toBe("/owner/groups?by=utm_source&days=30");
    const page = await browser.request(path);
    const names = Array.from(page.body.matchAll(/>(stall_\d+)</g), ([, name]) => name);
    expect(new Set(names).size).toBe(20);
    expect(page.body).toContain(`href="/owner/entries?utm_source=stall_1&amp;from=2026-10-23&amp;until=${TODAY}"`);
    expect(page.body).toContain('href="/owner/groups?by=utm_source&amp;days=90"');
    expect(await rows("stats")).toHaveLength(switches.pioneerCount ? 2 : 1);
    for (const query of ["", "by=", "by=email", "by=__proto__"])
      expect((await browser.request(`/owner/groups?${query}`)).status).toBe(404);
  });
});

const onList = async (path = "/owner") => /(\d+) can get email/.exec(await overview(path))?.[1];
test("shows stored numbers with their time, and renews old ones for the next view", async () => {
  await join("ada@example.com");
  expect(await onList()).toBe("1");
  await join("bob@example.com");
  expect(await onList()).toBe("1");
  await execute("UPDATE stats SET computed_at = ?", Date.UTC(2026, 10, 20, 14, 5));
  const stale = await overview();
  expect(stale).toContain("As of 20 Nov 2026, 14:05");
  expect(stale).toContain("1 can get email");
  expect(await onList()).toBe("2");
  expect(await overview()).not.toContain("As of 20 Nov 2026, 14:05");
});

test.each([30, 90])("computes the numbers of %i days again when the button is pressed", async (days) => {
  await join("bob@example.com");
  expect(await onList(`/owner?days=${days}`)).toBe("1");
  await join("ada@example.com");
  const { body } = await browser.request(`/owner?days=${days}`);
  const action = /<form[^>]*action="(\/owner\/stats[^"]*)"[^>]*method="post"/.exec(body)?.[1] ?? "no form";
  const { status, headers } = await browser.post(action);
  expect([status, headers.get("Location")]).toEqual([303, `/owner?days=${days}`]);
  expect(await onList(`/owner?days=${days}`)).toBe("2");
});

const lastAction = async () => (await loggedActions()).at(-1)?.[0];
const pause = (reason: string, until: number | null, scope = "all") =>
  execute("INSERT INTO email_pauses (scope, reason, until, created_at) VALUES (?, ?, ?, 1)", scope, reason, until);

/** What needs attention on the overview, computed now: each item's text and the address of its action. */
async function attention(): Promise<{ text: string; action: string | undefined }[]> {
  await browser.post("/owner/stats?days=30");
  const { body } = await browser.request("/owner");
  const [list = ""] = /<ul class="bare-list attention">.*?<\/ul>/s.exec(body) ?? [];
  return list
    .split(/<li\b[^>]*>/)
    .slice(1)
    .map((item) => ({
      text: visibleText(`<main>${item}</main>`).trim(),
      action: /(?:href|action)="([^"]+)"/.exec(item)?.[1]?.replaceAll("&amp;", "&"),
    }))
    .filter(({ text }) => launchDate === null || !text.startsWith("The launch date"));
}

test("nothing needs attention while all is well", async () => {
  await join("ada@example.com");
  expect(await attention()).toEqual([]);
});

test("many bounces and every complaint of the last week are named", async () => {
  await join("ada@example.com");
  const suppress = (reason: string, number: number, at: number) =>
    env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      INSERT INTO suppressions SELECT ?2 || i || ?3, ?2, NULL, ?3 FROM n`,
    )
      .bind(number, reason, at)
      .run();
  await suppress("hard-bounce", 14, Date.now());
  await suppress("complaint", 3, Date.now() - 8 * DAY);
  expect(await attention()).toEqual([]);
  await suppress("soft-bounces", 1, Date.now());
  const text = "In the last 7 days 15 addresses bounced";
  expect(await attention()).toEqual([
    { text: `${text}. See who`, action: "/owner/entries?email=dead.address-refused" },
  ]);
  await suppress("complaint", 1, Date.now() - DAY);
  expect((await attention())[0]?.text).toBe(`${text} and 1 person reported spam. See who`);
});

test("a flood is named: far more blocked attempts than on a usual day", async () => {
  await join("ada@example.com");
  const block = (day: string, count: number) =>
    execute("INSERT INTO blocked_attempts (day, reason, count) VALUES (?, 'honeypot', ?)", day, count);
  await block(TODAY, 400);
  await block("2026-11-19", 7 * 81);
  expect(await attention()).toEqual([]);
  await env.DB.prepare("UPDATE blocked_attempts SET count = 500 WHERE day = ?").bind(TODAY).run();
  const text = expect.stringContaining("500 attempts to join were blocked today; a usual day has 81.");
  expect(await attention()).toEqual([{ text, action: "/owner/entries" }]);
});

describe("with letters", () => {
  needs("letters");
  beforeEach(async () => {
    await join("ada@example.com");
    await browser.post("/owner/letters", { intent: "save", subject: "News", preview_line: "", body: "Hello" });
  });

  test.each([
    ["paused by bounces", "state = 'sending'", "“News” is paused: too many emails bounced.", "bounces"],
    ["paused by the owner", "state = 'sending'", "“News” is paused: you paused it.", "owner"],
    [
      "paused by the provider",
      "state = 'sending'",
      "“News” is paused: the email provider refused the API key.",
      "wrong-key",
    ],
    ["that missed its time", "state = 'draft', scheduled_for = 1", "“News” could not be sent at its time"],
    ["paused after its first recipients", "state = 'sending'", null, "first-recipients"],
    ["being sent", "state = 'sending'", null],
    ["sent", "state = 'finished'", null],
  ])("a letter %s is named if it needs the owner", async (_, change, text, reason?: string) => {
    await env.DB.exec(`UPDATE letters SET ${change}`);
    const insert = "INSERT INTO email_pauses (scope, letter_id, reason, created_at) VALUES ('letter', 1, ?, 1)";
    if (reason !== undefined) await execute(insert, reason);
    const item = { text: expect.stringContaining(text ?? ""), action: "/owner/letters/1" };
    expect(await attention()).toEqual(text === null ? [] : [item]);
  });

  test("a letter with emails that may have arrived is named", async () => {
    await env.DB.exec("UPDATE letters SET state = 'finished'");
    await env.DB.exec("INSERT INTO letter_batches (letter_id, number, dead_at) VALUES (1, 0, 1)");
    expect((await attention())[0]?.text).toContain("has emails that the provider never confirmed");
  });
});

describe("emails that failed", () => {
  beforeEach(async () => {
    for (const name of ["ada", "bob"]) await join(`${name}@example.com`);
  });
  const kill = (reason: string, id: number) =>
    env.DB.exec(`UPDATE email_outbox SET dead_at = 1, attempts = 10, reason = '${reason}' WHERE entry_id = ${id}`);
  const dead = async () => (await rows("email_outbox")).flatMap(({ dead_at, entry_id }) => (dead_at ? [entry_id] : []));

  test("are sent again by a button, but neither a sign-in email nor one that may have arrived", async () => {
    await kill("timed-out", 1);
    await kill("outcome-unknown", 2);
    await env.DB.exec("UPDATE email_outbox SET dead_at = 1 WHERE kind = 'sign-in'");
    expect(await attention()).toEqual([
      { text: expect.stringMatching(/^1 email failed.*too long to answer/), action: "/owner/outbox/retry" },
      { text: expect.stringContaining("The provider never confirmed 1 email."), action: "/owner/outbox/retry" },
    ]);
    const { headers } = await browser.post("/owner/outbox/retry", { emails: "everything" });
    expect(headers.get("Location")).toBe("/owner?requeued=1");
    expect(await overview("/owner?requeued=1")).toContain("1 email is queued again and will be sent");
    expect(await dead()).toEqual([null, 2]);
    await browser.post("/owner/outbox/retry", { emails: "outcome-unknown" });
    expect(await dead()).toEqual([null]);
    expect(await rows("email_outbox")).toMatchObject([{ kind: "sign-in" }, { attempts: 0 }, { attempts: 0 }]);
  });

  test("read the same on the overview, the list, the entry and the letter", async () => {
    await join("cyd@example.com");
    for (const [id, reason] of ["timed-out", "complaint", "outcome-unknown"].entries()) await kill(reason, id + 1);
    expect((await attention())[0]?.text).toMatch(/^2 emails failed, of which 1 can be tried again\./);
    const page = await overview();
    expect(page).toMatch(/Failed 2 Unknown 1 /);
    const names = async (state: string) =>
      listedAddresses((await browser.request(`/owner/entries?email=${state}`)).body).toSorted();
    expect(await names("dead")).toEqual(["ada@example.com", "bob@example.com"]);
    expect(await names("unknown")).toEqual(["cyd@example.com"]);
    for (const [id, state] of ["Failed", "Failed", "Unknown"].entries())
      expect(await overview(`/owner/entries/${id + 1}`)).toMatch(RegExp(`Welcome ${state} 1 Jan 1970`));
    expect([recipientStates.failed, recipientStates.unknown]).toEqual(["Failed", "Unknown"]);
  });

  test("are listed with their reasons, which lead to the entries, as are those that wait", async () => {
    await join("cyd@example.com");
    await kill("complaint", 2);
    await env.DB.exec("UPDATE email_outbox SET reason = 'timed-out' WHERE entry_id = 3");
    const { body } = await browser.request("/owner");
    const links = Array.from(body.matchAll(/<a href="([^"]*email=[^"]*\.[^"]*)">/g), ([, href = ""]) => href);
    expect(links.toSorted()).toEqual([
      "/owner/entries?email=dead.complaint",
      "/owner/entries?email=waiting.none",
      "/owner/entries?email=waiting.timed-out",
    ]);
    const people = await Promise.all(links.map(async (href) => listedAddresses((await browser.request(href)).body)));
    expect(people.flat().toSorted()).toEqual(["ada@example.com", "bob@example.com", "cyd@example.com"]);
    // A complaint is final.
    expect(body).not.toContain('action="/owner/outbox/retry"');
    expect(await attention()).toEqual([]);
  });
});

describe("while email is paused", () => {
  test("the overview and the entry's page say why, and when it continues", async () => {
    await join("ada@example.com");
    await pause("wrong-key", Date.now() + 3 * DAY);
    for (const path of ["/owner", "/owner/entries/1"])
      expect(await overview(path), path).toContain("The email provider refused the API key; next attempt on ");
  });

  test("by a quota, one is tried at once by a button", async () => {
    await join("ada@example.com");
    await pause("monthly-quota", Date.now() + 600_000);
    expect(await overview()).toContain("Monthly limit reached; next attempt");
    expect((await browser.post("/owner/outbox/try", {})).status).toBe(303);
    expect(await overview()).toContain("next attempt within a minute");
    expect(await lastAction()).toBe("try-emails");
  });

  test("by bounces, the emails that are held are released by a button", async () => {
    await join("ada@example.com");
    const held = "Emails to sign-ups that Turnstile has not verified have waited since";
    await pause("sign-up-bounces", null, "unverified");
    const text = await overview();
    expect(text).toContain("at least 15 in a day, and more than 3%");
    expect(text).toContain(held);
    expect(text).not.toContain("Email is paused");
    expect((await browser.post("/owner/outbox/release", {})).status).toBe(303);
    expect(await overview()).not.toContain(held);
    expect(await lastAction()).toBe("release-emails");
  });
});

describe("emails that take more than a day at MAIL_PER_HOUR", () => {
  const WAITING = /[\d,]+ emails? (is|are) waiting to be sent/;

  test.each([
    ["that take a day", 96, "priority = 1"],
    ["that are sent", 97, "done_at = 1"],
    ["that failed", 97, "dead_at = 1"],
    ["that wait for their next attempt", 97, "next_attempt_at = 1e14"],
  ])("do not include those %s", async (_, emails, change) => {
    await seedEntries(emails, Date.now() - 1_000);
    await env.DB.exec(`UPDATE email_outbox SET ${change} WHERE entry_id IS NOT NULL`);
    expect(await overview()).not.toMatch(WAITING);
  });

  test.each([
    ["all verified", 97, "1", /97 emails .* about 25 hours at 4 an hour\. Raise the send limit/],
    // A quarter of the limit for imported people, and half for unverified sign-ups.
    [
      "mixed",
      38,
      "iif(entry_id <= 25, 4, iif(entry_id <= 30, 3, 1))",
      /38 .* 27 .* 2 .*\(5 emails\) and 1 .*\(25 emails\)/,
    ],
  ])("are announced: %s", async (_, emails, priority, text) => {
    await seedEntries(emails, Date.now() - 1_000);
    await env.DB.exec(`UPDATE email_outbox SET priority = ${priority} WHERE entry_id IS NOT NULL`);
    expect(await overview()).toMatch(text);
  });

  test.each([720, 721])("are announced with links that will have expired only from the 721st: %i", async (emails) => {
    await seedEntries(emails, Date.now() - 1_000);
    await env.DB.exec("UPDATE email_outbox SET priority = 4 WHERE entry_id IS NOT NULL");
    expect((await overview()).includes("a link that has expired")).toBe(emails === 721);
  });

  test("are announced with what a free plan can send, where the limit is higher", async () => {
    const fast = withCookiesOf(browser, { MAIL_PER_HOUR: "5000", WORKERS_PLAN: "free" });
    await seedEntries(21_000, Date.now() - 1_000);
    const text = visibleText((await fast.request("/owner")).body);
    expect(text).toMatch(/21,000 emails .* about 25 hours at 840 an hour\. Advanced: the free Workers plan/);
  });

  test("are not announced while another reason keeps all from being sent", async () => {
    const withoutSender = withCookiesOf(browser, { MAIL_PER_HOUR: "4", MAIL_FROM: "" });
    await seedEntries(97, Date.now() - 1_000);
    expect(visibleText((await withoutSender.request("/owner")).body)).not.toMatch(WAITING);
    expect(await overview()).toMatch(WAITING);
    await pause("daily-quota", Date.now() + 3_600_000);
    expect(await overview()).toMatch(/Daily limit reached/);
    expect(await overview()).not.toMatch(WAITING);
  });
});
