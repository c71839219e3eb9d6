import { expect, test } from "vitest";
import { type ExportFormatName, streamExport } from "#app/features/entries/export.server.ts";
import { unescapeFormulas } from "#app/owner/ui/csv.ts";
import { type Answers, waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { exportDeps } from "#tests/support/pool/exports.ts";
import { db, freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();
const JOINED = Date.UTC(2026, 10, 21, 23, 30);

type NewRow = typeof waitlistEmails.$inferInsert;

/** Two people who may get email, with values that are awkward in a CSV file, and one who left. */
async function addPeople() {
  const metadata = { signup_platform: "web" as const, signup_date: new Date(JOINED).toISOString() };
  const rows: Omit<NewRow, "metadata" | "created_at">[] = [
    {
      email: "+ada@example.com",
      answers: { role: "both", town: "Leeds, east", gone: "yes" },
      source: "fair_tablet",
      owner_note: "Pots; corner pitch",
      utm_campaign: 'a "b", c;=1+1\td',
    },
    { email: "bob@exämple.com", source: "landing_page" },
    { email: "eve@example.com", answers: { role: "host" }, status: "unsubscribed" as const },
  ];
  await db.insert(waitlistEmails).values(rows.map((row) => ({ ...row, metadata, created_at: JOINED })));
}

/** The bytes of an export of people who may get email. */
async function exported(format: ExportFormatName): Promise<Uint8Array> {
  await addPeople();
  return new Response(streamExport(exportDeps(db), { mayGetEmail: true }, format)).bytes();
}

/**
 * Parses a file as RFC 4180 has it, where each line has as many cells as the header. Throws where a strict parser, such as
 * Go's (listmonk's), does: at a quote inside an unquoted cell, a byte order mark before a quoted cell included.
 */
function parse(bytes: Uint8Array, separator = ","): Record<string, string>[] {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r?\\n|$)`, "y");
  const lines: string[][] = [[]];
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const [, quoted, plain = "", end = ""] = cell.exec(text) ?? [];
    if (cell.lastIndex === 0) throw new Error(`A quote in an unquoted cell at ${at}`);
    lines.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== separator) lines.push([]);
  }
  const [header = [], ...rows] = lines.slice(0, -1);
  for (const row of rows) expect(row).toHaveLength(header.length);
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ""])));
}

const emails = ["+ada@example.com", "bob@exämple.com"];

// https://mailchimp.com/help/format-guidelines-for-your-import-file/: one address for each contact in a column named Email
// Address, dates as YYYY-MM-DD, text of at most 255 bytes, tags of at most 100 characters separated by commas.
test("the Mailchimp export follows the rules of its import", async () => {
  const rows = parse(await exported("mailchimp"));
  expect(rows.map((row) => row["Email Address"])).toEqual(emails);
  expect(Object.keys(rows[0] ?? {})).toEqual(["Email Address", "Tags", "Joined", "Source"]);
  for (const { Joined = "", Source = "" } of rows) {
    expect(Joined).toBe("2026-11-21");
    expect(new TextEncoder().encode(Source).length).toBeLessThanOrEqual(255);
  }
  const tags = rows.map((row) => row["Tags"]?.split(",").map((tag) => tag.trim()));
  expect(tags).toEqual([["role: both"], [""]]);
});

// https://ghost.org/help/import-members/: these columns, booleans as true or false, labels separated by commas, ISO 8601.
test("the Ghost export follows the rules of its import", async () => {
  const known = "email name note subscribed_to_emails stripe_customer_id complimentary_plan labels created_at".split(
    " ",
  );
  const rows = parse(await exported("ghost"));
  expect(Object.keys(rows[0] ?? {}).filter((name) => !known.includes(name))).toEqual([]);
  expect(rows).toEqual([
    {
      email: emails[0],
      note: "Pots; corner pitch",
      subscribed_to_emails: "true",
      labels: "role: both",
      created_at: "2026-11-21T23:30:00.000Z",
    },
    { email: emails[1], note: "", subscribed_to_emails: "true", labels: "", created_at: "2026-11-21T23:30:00.000Z" },
  ]);
});

// https://resend.com/docs/dashboard/contacts/add-contacts maps columns to email, first_name, last_name, unsubscribed, and
// to properties, whose keys are letters, digits and underscores, at most 50 (…/contacts/properties). At most 200 MB.
test("the Resend export follows the rules of its import", async () => {
  const rows = parse(await exported("resend"));
  for (const name of Object.keys(rows[0] ?? {})) expect(name).toMatch(/^[a-zA-Z0-9_]{1,50}$/);
  const none = { town: "", role: "", fairs: "", craft: "", tent: "" };
  expect(rows).toEqual([
    { ...none, email: emails[0], unsubscribed: "false", role: "both", town: "Leeds, east", source: "fair_tablet" },
    { ...none, email: emails[1], unsubscribed: "false", source: "landing_page" },
  ]);
});

// https://listmonk.app/docs/apis/import/, and the importer itself
// (https://github.com/knadh/listmonk/blob/master/internal/subimporter/importer.go): the columns email, name and attributes,
// in that spelling, attributes as a JSON object, read by Go's strict CSV parser.
test("the listmonk export follows the rules of its import", async () => {
  const rows = parse(await exported("listmonk"));
  expect(Object.keys(rows[0] ?? {})).toEqual(["email", "name", "attributes"]);
  expect(rows.map(({ email }) => email)).toEqual(emails);
  expect(rows.map(({ attributes = "" }) => JSON.parse(attributes))).toEqual([
    {
      role: "both",
      town: "Leeds, east",
      gone: "yes",
      source: "fair_tablet",
      utm_campaign: 'a "b", c;=1+1\td',
      joined: "2026-11-21T23:30:00.000Z",
    },
    { source: "landing_page", utm_campaign: null, joined: "2026-11-21T23:30:00.000Z" },
  ]);
});

test.each([
  ["csv", ","],
  ["semicolon", ";"],
  ["tab", "\t"],
] as const)(
  "the %s export for spreadsheets has values that can be restored, after a byte order mark",
  async (format, separator) => {
    const bytes = await exported(format);
    expect(Array.from(bytes.subarray(0, 3))).toEqual([0xef, 0xbb, 0xbf]);
    const [ada = {}, ...others] = parse(bytes.subarray(3), separator);
    expect(ada).toMatchObject({ email: "'+ada@example.com", utm_campaign: `a "b", c;'=1+1\td` });
    expect(others).toMatchObject([{ email: "bob@exämple.com", source: "landing_page" }]);
    const restored = Object.fromEntries(Object.entries(ada).map(([name, text]) => [name, unescapeFormulas(text)]));
    expect(restored).toMatchObject({
      email: "+ada@example.com",
      status: "active",
      answer_town: "Leeds, east",
      answer_role: "both",
      answer_tent: "",
      earlier_answers: '{"gone":"yes"}',
      joined: "2026-11-21T23:30:00.000Z",
      utm_campaign: 'a "b", c;=1+1\td',
      owner_note: "Pots; corner pitch",
    });
  },
);

test("answers that are offered become tags and labels without commas of their own", async () => {
  const given: (Answers | null)[] = [{ role: "host", tent: "yes", town: "a, b" }, { role: "gone", fairs: "few" }, null];
  const metadata = { signup_platform: "web" as const, signup_date: "" };
  const rows = given.map((answers, index) => ({
    email: `p${index}@example.com`,
    answers,
    metadata,
    created_at: JOINED,
  }));
  await db.insert(waitlistEmails).values(rows);
  const file = await new Response(streamExport(exportDeps(db), {}, "ghost")).bytes();
  expect(parse(file).map(({ labels }) => labels)).toEqual(["role: host, tent: yes", "fairs: few", ""]);
});

test("answers to questions that are gone, and answers that are, stay in the export and are marked", async () => {
  await addPeople();
  await db.update(waitlistEmails).set({ answers: { role: "gone", gone: "yes", town: "York" } });
  const file = await new Response(streamExport(exportDeps(db), {}, "csv")).bytes();
  expect(parse(file.subarray(3))[0]).toMatchObject({
    answer_role: "",
    answer_town: "York",
    earlier_answers: '{"role":"gone","gone":"yes"}',
  });
});
