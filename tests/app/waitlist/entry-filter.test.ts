import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { listEntries } from "#app/waitlist/entries/entries-page.server.ts";
import { parseEntryFilter, writeEntryFilter } from "#app/waitlist/filter/entry-filter.server.ts";
import type { EntryFilter, EntrySelection } from "#app/waitlist/filter/filters.server.ts";
import { countEntries, selectedEntries } from "#app/waitlist/filter/list-entries.server.ts";
import { db, freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();
describe("the filters of a URL", () => {
  const filters: EntryFilter[] = [
    {},
    { status: "active", confirmation: "not-asked" },
    { answers: { role: "host", town: "Upper & Lower", tent: null } },
    { answers: { role: ["stallholder", "both"] }, imported: true, invited: false },
    { source: "fair_tablet", imported: false, invited: true },
    { imported: 3, untouched: true, unsubscribed_by: 4 },
    { utm_source: " news & more", utm_campaign: "ünï=1;x,+1" },
    { utm_source: null, utm_campaign: null, referrer_host: null },
    { utm_source: "a", utm_campaign: null, referrer_host: "www.example.com:81" },
    { email: { state: "dead", reason: "complaint" }, disposable: false },
    { email: { state: "waiting", reason: null }, friends: 3, milestone: false },
    { from: "2026-11-21", from_time: "23:59", until: "2026-11-22", until_time: "00:00" },
    { from: "2026-11-21", until: "2026-11-21", answers: { role: "both" }, disposable: true },
  ];

  test.each(filters)("%j is written and read back", (filter) => {
    const search = writeEntryFilter(filter);
    expect(parseEntryFilter(new URLSearchParams(search.toString()))).toEqual({ filter, problems: [] });
  });

  test("follow the names that other pages link with", () => {
    const filter: EntryFilter = {
      answers: { role: "host", tent: null },
      utm_campaign: "autumn fair",
      referrer_host: null,
      from: "2026-11-01",
    };
    expect(writeEntryFilter(filter).toString()).toBe(
      "answer_role=host&utm_campaign=autumn+fair&without=referrer_host&without=answer_tent&from=2026-11-01",
    );
  });

  test("empty values, which forms send for unused fields, and other parameters do not filter", () => {
    const search = new URLSearchParams(
      "status=&answer_role=&answer_town=&utm_campaign=&without=&from=&order=oldest&after=3&search=x",
    );
    expect(parseEntryFilter(search)).toEqual({ filter: {}, problems: [] });
  });

  test.each([
    ["status=activ", "status must be one of active, unconfirmed, suppressed, unsubscribed."],
    ["answer_role=admin", "answer_role must be one of host, stallholder, both, curious."],
    ["answer_role=toString", "answer_role must be one of host, stallholder, both, curious."],
    [`answer_town=${"x".repeat(121)}`, "answer_town must have at most 120 characters."],
    [`utm_campaign=${"x".repeat(401)}`, "utm_campaign must have at most 400 characters."],
    ["answer_role=host&without=answer_role", "without cannot be combined with answer_role."],
    [
      "source=A-B",
      "source must be a source, such as spring_fair: at most 64 lower-case letters, digits and underscores.",
    ],
    [
      "without=email",
      "without must be one of utm_campaign, utm_source, referrer_host, answer_town, answer_role, answer_fairs, answer_craft, answer_tent.",
    ],
    ["email=lost", "email must be sent, waiting, dead or unknown, with or without a reason, such as dead.complaint."],
    ["disposable=maybe", "disposable must be one of yes, no."],
    ["from=2026-02-30", "from must be a day, such as 2026-11-21."],
    ["from=2026-11-22&until=2026-11-21", "until must not be earlier than from."],
    ["from=2026-11-21&from_time=24:00", "from_time must be a time, such as 14:05."],
    ["until=2026-11-21&until_time=9:30", "until_time must be a time, such as 14:05."],
    ["from_time=10:00&until=2026-11-21", "from_time needs a day in from."],
    ["from=2026-11-21&until_time=10:00", "until_time needs a day in until."],
    [
      "from=2026-11-21&from_time=10:01&until=2026-11-21&until_time=10:00",
      "until_time must not be earlier than from_time.",
    ],
    ["answer_town=Leeds&answer_town=York", "answer_town must be given only once."],
    ["answer_role=host&answer_role=admin", "answer_role must be one of host, stallholder, both, curious."],
    ["friends=0", "friends must be a whole number from 1."],
    ["friends=2.5", "friends must be a whole number from 1."],
    ["imported=0", "imported must be yes, no or the number of an import."],
    ["untouched=no", "untouched must be yes."],
    ["unsubscribed_by=x", "unsubscribed_by must be the number of a bulk action."],
  ])("%s is explained", (search, problem) => {
    expect(parseEntryFilter(new URLSearchParams(search)).problems).toEqual([problem]);
  });
});

const MIDNIGHT = Date.UTC(2026, 2, 28, 23); // the 29th begins in Berlin, where it has 23 hours
const HOUR = 3_600_000;

type NewEntry = Partial<typeof waitlistEmails.$inferInsert>;

/** Entries 1, 2, 3 … with the given columns. */
async function addEntries(entries: NewEntry[]) {
  const metadata = { signup_platform: "web" as const, signup_date: "2026-03-29T00:00:00.000Z" };
  const rows = entries.map((entry, index) => {
    return { email: `person${index + 1}@example.com`, metadata, created_at: MIDNIGHT + index, ...entry };
  });
  await db.insert(waitlistEmails).values(rows);
}

/** The ids that a selection has, which the list, its count and the export must agree on. */
async function ids(selection: EntrySelection): Promise<number[]> {
  const { entries } = await listEntries(db, { order: "oldest", limit: 99, ...selection });
  const listed = entries.map(({ id }) => id);
  const byAddress = await listEntries(db, { order: "address", limit: 99, ...selection });
  expect(byAddress.entries.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(listed);
  expect(await countEntries(db, selection)).toBe(listed.length);
  const exported = (await Array.fromAsync(selectedEntries(db, selection, 2))).flat();
  expect(exported.map(({ id }) => id)).toEqual(listed);
  return listed;
}

describe("the list, its count and the export", () => {
  test("filter by a chosen answer, with or without one", async () => {
    const host = { answers: { role: "host" } };
    // A question that is no longer asked may still choose the audience of a letter.
    const gone = { answers: { gone: "yes" } };
    await addEntries([host, {}, { answers: { role: "both", tent: "yes" } }, host, { answers: { tent: "no" } }, gone]);
    expect(await ids(gone)).toEqual([6]);
    expect(await ids(host)).toEqual([1, 4]);
    expect(await ids({ answers: { role: "curious" } })).toEqual([]);
    expect(await ids({ answers: { role: null } })).toEqual([2, 5, 6]);
    expect(await ids({ answers: { role: "both", tent: "yes" } })).toEqual([3]);
  });

  test("filter by several answers of a question, of which one is enough", async () => {
    await addEntries(["host", "both", "curious", "stallholder"].map((role) => ({ answers: { role } })));
    await addEntries([{ email: "none@example.com", created_at: MIDNIGHT + HOUR }]);
    expect(await ids({ answers: { role: ["stallholder", "both"] } })).toEqual([2, 4]);
    expect(await ids({ answers: { role: ["curious"] } })).toEqual([3]);
    const twice = parseEntryFilter(new URLSearchParams("answer_role=both&answer_role=host&answer_role=both"));
    expect(twice).toEqual({ filter: { answers: { role: ["both", "host"] } }, problems: [] });
    expect(await ids(twice.filter)).toEqual([1, 2]);
  });

  test("filter by every import, with any source, and by invitation", async () => {
    await addEntries([
      { import_id: 1, source: "mailchimp" },
      { source: "import" },
      { import_id: 2, invited_at: 5 },
      { invited_at: 1 },
    ]);
    expect(await ids({ imported: true })).toEqual([1, 3]);
    expect(await ids({ imported: false })).toEqual([2, 4]);
    expect(await ids({ imported: 2 })).toEqual([3]);
    expect(await ids({ invited: true })).toEqual([3, 4]);
    expect(await ids({ invited: false, imported: true })).toEqual([1]);
  });

  test("filter by the friends who count, and by a milestone that was reached", async () => {
    await addEntries([{}, {}, {}, {}]);
    await env.DB.exec("INSERT INTO referrers (entry_id, counted) VALUES (1, 1), (2, 3), (3, 0), (4, 12)");
    await env.DB.exec("INSERT INTO reached_milestones VALUES (3, 3, 5, 6), (4, 3, 5, NULL), (4, 10, 5, NULL)");
    expect(await ids({ friends: 1 })).toEqual([1, 2, 4]);
    expect(await ids({ friends: 3 })).toEqual([2, 4]);
    expect(await ids({ friends: 13 })).toEqual([]);
    expect(await ids({ milestone: true })).toEqual([3, 4]);
    expect(await ids({ milestone: false })).toEqual([1, 2]);
    expect(await ids({ milestone: false, friends: 2 })).toEqual([2]);
  });

  test("filter by a part of a text, in any case, or without one", async () => {
    const towns = ["Leeds", "leeds (north)", "York", "100 % wool"];
    await addEntries([...towns.map((town) => ({ answers: { town } })), { answers: { craft: "Leeds" } }]);
    expect(await ids({ answers: { town: "LEEDS" } })).toEqual([1, 2]);
    expect(await ids({ answers: { town: "%" } })).toEqual([4]);
    expect(await ids({ answers: { town: null } })).toEqual([5]);
  });

  test.each(["utm_source", "utm_campaign", "referrer_host"] as const)(
    "filter by %s in any case, with or without one, as a value and not as a pattern or SQL",
    async (name) => {
      await addEntries([{ [name]: "fair" }, {}, { [name]: "Fair" }, { [name]: "fair, or not" }, { [name]: "fair" }]);
      for (const fair of ["fair", "FAIR"]) expect(await ids({ [name]: fair })).toEqual([1, 3, 5]);
      for (const none of ["fai", "%", "'; DROP TABLE waitlist_emails; --"])
        expect(await ids({ [name]: none })).toEqual([]);
      expect(await ids({ [name]: null })).toEqual([2]);
    },
  );

  test("filter by days of the owner's time zone, which can have 23 hours", async () => {
    const times = [-1, 0, 23 * HOUR - 1, 23 * HOUR];
    await addEntries(times.map((offset) => ({ created_at: MIDNIGHT + offset })));
    const berlin = (days: EntryFilter) => ids({ ...days, timeZone: "Europe/Berlin" });
    expect(await berlin({ from: "2026-03-29", until: "2026-03-29" })).toEqual([2, 3]);
    expect(await berlin({ from: "2026-03-29" })).toEqual([2, 3, 4]);
    expect(await berlin({ until: "2026-03-28" })).toEqual([1]);
    expect(await ids({ from: "2026-03-29" })).toEqual([3, 4]);
  });

  test("filter by the minutes of these days, and by the earliest and latest moment if the clocks change then", async () => {
    const minute = 60_000;
    // 1:59:59.999, and 3:00, which follows it; 3:30; 3:31.
    const times = [2 * HOUR - 1, 2 * HOUR, 2.5 * HOUR, 2.5 * HOUR + minute];
    // 25 October, when 2:00 to 2:59 comes twice: the first and the last moment that the clocks show as 2:30.
    const october = Date.UTC(2026, 9, 25, 0, 30);
    const twice = [october - 1, october, october + HOUR + minute - 1, october + HOUR + minute];
    await addEntries([...times.map((offset) => MIDNIGHT + offset), ...twice].map((created_at) => ({ created_at })));
    const on = (day: string, from_time: string, until_time: string) =>
      ids({ from: day, from_time, until: day, until_time, timeZone: "Europe/Berlin" });
    expect(await on("2026-03-29", "01:59", "03:30")).toEqual([1, 2, 3]);
    expect(await on("2026-03-29", "03:00", "03:29")).toEqual([2]);
    // The clocks skip it.
    expect(await on("2026-03-29", "02:30", "02:30")).toEqual([1, 2, 3]);
    expect(await on("2026-10-25", "02:30", "02:30")).toEqual([6, 7]);
    expect(await ids({ until: "2026-03-29", until_time: "01:29" })).toEqual([1, 2]);
  });

  test("leave out people who may not get email: unsubscribed, or waiting to confirm", async () => {
    await addEntries([{}, { status: "unsubscribed" }, { confirm_by: 1 }, { confirm_by: 1, confirmed_at: 1 }]);
    expect(await ids({ mayGetEmail: true })).toEqual([1, 4]);
    expect(await ids({ mayGetEmail: true, status: "unsubscribed" })).toEqual([]);
    expect(await ids({})).toEqual([1, 2, 3, 4]);
  });

  test("filter by everything together", async () => {
    const wanted = {
      answers: { role: "host" },
      utm_campaign: "fair",
      referrer_host: "a.example",
      disposable: true,
    } as const;
    await addEntries([
      wanted,
      { ...wanted, answers: { role: "both" } },
      { ...wanted, email: "bob@example.com" },
      wanted,
    ]);
    const filter = { ...wanted, utm_source: null, from: "2026-03-28", until: "2026-03-28", search: "person" };
    expect(await ids({ ...filter, status: "active", confirmation: "not-asked", source: "landing_page" })).toEqual([
      1, 4,
    ]);
  });
});

test("a count ends at its limit", async () => {
  await addEntries([{}, { answers: { role: "host" } }, { answers: { role: "host" } }, { answers: { role: "host" } }]);
  expect(await countEntries(db, { answers: { role: "host" } }, 2)).toBe(2);
  expect(await countEntries(db, { answers: { role: "host" } }, 4)).toBe(3);
});
