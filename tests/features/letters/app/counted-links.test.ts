import { expect, test } from "vitest";
import { fillSiteAddress } from "#app/features/letters/send/counted-link.ts";
import { readCountedLinks } from "#app/features/letters/send/counted-visits.server.ts";
import { parseLetter } from "#app/features/letters/send/parse-letter.server.ts";
import { composeLetter, renderLetter } from "#app/features/letters/send/render-letter.server.ts";
import { visitNames } from "#app/features/visits/visit.server.ts";
import { letterHarness } from "#tests/features/letters/pool/letter-harness.ts";
import { emailContext as context } from "#tests/support/pool/all-emails.ts";
import { db, execute, freshDatabaseForEachTest } from "#tests/support/pool/start.ts";
import { storeLetter } from "#tests/support/pool/stored-letter.ts";

/* Links to the own site whose visits stand in the results of their letter. */

freshDatabaseForEachTest();

const { siteUrl } = context;
const body =
  "See [the roadmap]({{counted}}/roadmap?a=1&b=%20#soon), [home]({{counted}}) and [the survey]({{site}}/survey).";
const ADDRESS = /https:\/\/waitlist-site\.example\/?(?:roadmap|survey|\?)[^\s)"]*/g;
const addressesIn = (text: string) => text.match(ADDRESS);

/** The emails of a stored letter to some entries. */
async function emailsTo(entries: number[], fields: Parameters<typeof storeLetter>[0] = {}) {
  const id = await storeLetter({ body, ...fields });
  const letter = await (await letterHarness()).letter(id);
  const compose = composeLetter(letter, context);
  const member = (entryId: number) => ({ entryId, position: entryId, email: `a${entryId}@b.example`, answers: null });
  return Promise.all(entries.map((entryId) => compose(member(entryId), 0)));
}

test("a counted link has the same label for everyone, and no other link has one", async () => {
  const emails = await emailsTo([7, 8]);
  const label = (page: string) => `utm_source=letter&utm_campaign=letter-1${page}`;
  const [roadmap, home] = [`roadmap?a=1&b=%20&${label("/roadmap")}#soon`, `?${label("/")}`];
  for (const { text } of emails)
    expect(addressesIn(text)).toEqual([`${siteUrl}/${roadmap}`, `${siteUrl}/${home}`, `${siteUrl}/survey`]);
  expect(emails[0]?.html).toContain(`href="${siteUrl}/${home.replaceAll("&", "&amp;")}"`);
});

test("all letters that are sent as one follow-up have its label", async () => {
  const [email] = await emailsTo([7], { step_id: 3 });
  expect(addressesIn(email?.text ?? "")?.[1]).toBe(`${siteUrl}/?utm_source=follow-up&utm_campaign=follow-up-3/`);
});

test("the links of a preview or a test, which the owner follows, are not counted", () => {
  const letter = { subject: "News", preview_line: "", body };
  const { text } = renderLetter(
    letter,
    { unsubscribe: "https://a.example", entry: "https://b.example", web: null },
    context,
  );
  expect(addressesIn(text)).toEqual([`${siteUrl}/roadmap?a=1&b=%20#soon`, `${siteUrl}/survey`]);
  expect(text).toContain(`home (${siteUrl})`);
});

test.each([
  ["[a]({{counted}}evil.example)", "Only {{site}} or {{counted}} can begin an address"],
  ["[a](https://b.example/{{counted}})", "Only {{site}} or {{counted}} can begin an address"],
  ["[a]({{counted}}/?utm_campaign=own)", "The site adds the labels of a counted link itself"],
  ["{{counted}}", "{{counted}} is an address"],
  ["![a]({{counted}}/a.png)", "An image has no placeholder"],
])("%s is refused with a sentence", (text, problem) => {
  expect(parseLetter(text).problems).toMatchObject([{ line: 1, text: expect.stringContaining(problem) }]);
});

test.each([
  ["/roadmap", "letter-12/roadmap"],
  [`/${"long/".repeat(12)}`, "letter-12"],
])("a visit of %s is counted under a name that can be stored", (path, campaign) => {
  const url = fillSiteAddress(`{{counted}}${path}`, siteUrl, { id: 12, step_id: null });
  const visit = { url, headers: new Headers() };
  const names = visitNames(visit, { siteUrl, publicPaths: new Set([path]) });
  expect(names).toContainEqual(["utm_campaign", campaign]);
});

test("a letter's links bring its own visits and people since it started, by page", async () => {
  const count = (day: string, campaigns: Record<string, number>) =>
    execute("INSERT INTO page_visits (day, counts) VALUES (?, ?)", day, JSON.stringify({ utm_campaign: campaigns }));
  await count("2026-11-19", { "letter-1/roadmap": 50 });
  await count("2026-11-20", {
    "letter-1/roadmap": 3,
    "letter-1": 1,
    "letter-12/roadmap": 70,
    "letter-1-b": 80,
    other: 9,
  });
  await count("2026-11-21", { "Letter-1/Roadmap": 2, "letter-1/": 4 });
  const join = (name: string, campaign: string | null, created_at: number) =>
    execute(
      "INSERT INTO waitlist_emails (email, metadata, created_at, utm_campaign) VALUES (?, '{}', ?, ?)",
      ...[`${name}@example.com`, created_at, campaign],
    );
  const since = Date.parse("2026-11-20T12:00:00Z");
  await join("before", "letter-1/", since - 1);
  await join("ada", "letter-1/", since);
  await join("bob", "letter-12/", since);
  await join("eve", null, since);
  expect(await readCountedLinks(db, { campaign: "letter-1", since, timeZone: "UTC" })).toEqual([
    { page: "/roadmap", visits: 5, people: 0 },
    { page: "/", visits: 4, people: 1 },
    { page: "", visits: 1, people: 0 },
  ]);
});
