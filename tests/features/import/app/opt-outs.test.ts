import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nameSuggests } from "#app/features/import/file/email-status.ts";
import { columnErrors, guessMapping, isStatusField } from "#app/features/import/file/fields.ts";
import { importHarness } from "#tests/features/import/pool/imports.ts";
import { fuzzCases, fuzzSeed } from "#tests/support/pool/fuzz.ts";
import { emptyDatabase, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

/** Columns in which yes, a date or a reason means no email, in services, shops, CRMs and spreadsheets. */
const refusalNames =
  `Unsubscribed, unsubscribed_at, UNSUB_TIME, UnsubscribeDate, Unsubscribe Reason, unsubscription_date,
  Unsubscribed from all email, Opted out of email: News, HasOptedOutOfEmail, Email Opt Out, OPTOUT, optedOut, opt-out date,
  OptOut_Date, email_disabled, Do Not Contact, donotcontact, DO_NOT_EMAIL, DNC, Do Not Bulk Email, No emails, Stop email,
  Blacklisted, is_blacklisted, Block list, Suppressed, suppression_reason, Bounced, CLEAN_TIME, Hard bounce, bounce_date,
  Email hard bounce reason, undeliverability_date, Invalid, Email Address Quarantined, Complained, Spam complaint,
  spam_reported, Marked as spam, Abuse reports, deleted_at, Removed, consent withdrawn, revoked_at, globalUnsubscribe,
  Abgemeldet am, Abmeldung, Werbesperre, Widerspruch, Widerrufen am, Unzustellbar, Keine E-Mails, Sperrliste,
  Désabonné le, Date de désinscription, Ne pas contacter, Liste noire, Fecha de baja, Rebotado, No contactar,
  Uitgeschreven op, Niet mailen, Disiscritto, Lista nera`.split(/,\s+/);

/** Columns in which no means no email. */
const consentNames =
  `subscribed_to_emails, Subscribed, is_subscribed, Accepts Marketing, accepts_email_marketing, OPT_IN,
  Opted In, emailOptIn, Newsletter, Marketing consent, GDPR consent, marketing permission, I agree to get emails,
  OK to email?, Keep me informed, Mailing list, Email status, Subscription status, STATUS, Marketing contact status,
  Deliverability, Einwilligung, DSGVO-Zustimmung, Newsletter abonniert, Consentement, Suscrito, Toestemming, Iscritto`.split(
    /,\s+/,
  );

const refusals =
  `unsubscribed, Opted out, opted_out, do not contact, DO-NOT-EMAIL, bounced, hard bounce, complained, spam,
  cleaned, blocklisted, Suppressed, abgemeldet, désabonné, uitgeschreven, never subscribed, consent withdrawn`.split(
    /,\s+/,
  );

test("usual names of columns are read, or suggest what they are about", () => {
  const unknown = (names: string[]) =>
    names.filter((name, index) => !isStatusField(guessMapping(names)[index]) && nameSuggests(name) === null);
  expect(unknown([...refusalNames, ...consentNames])).toEqual([]);
  const isAbout = (name: string) => [name, nameSuggests(name)];
  const others = ["Name", "City", "Stall", "Plan", "Notes", "Phone", "Products", "Website"];
  expect(others.map(isAbout)).toEqual(others.map((name) => [name, null]));
  expect(["OPTIN_IP", "Opt-in source"].map(nameSuggests)).toEqual(["record", "record"]);
});

test.each([
  ["Newsletter", "yes", "FALSCH", 0],
  ["Newsletter", "yes", "N", 0],
  ["Newsletter", "yes", "off", 0],
  ["Newsletter", "yes", "perhaps", 1],
  ["Newsletter", "yes", "", 1],
  ["Unsubscribed", "no", "WAHR", 0],
  ["Unsubscribed", "no", "x", 1],
  ["Do not contact (phone and email)", "", "Y", 1],
  ["Tags", "fair", "fair; do not email", 1],
  ["Column 7", "regular", "Unsubscribed", 1],
  ["Pioneer", "yes", "perhaps", 1],
  ["Unsubscribe reason", "", "own-choice", 0],
  ["Unsubscribe reason", "", "too many emails", 1],
  ["Newsletter", "2026-06-01", "", 1],
  ["Craft", "pots", "do not email", 1],
  ["Remarks", "none", `${"met at the fair, ".repeat(7)}do not contact`, 1],
  [`${"I have read what you do with my address and ".repeat(3)}want the newsletter`, "yes", "no", 1],
])("%s: %s and %s leave out or ask", async (name, wants, refuses, questions) => {
  const file = `email;${name}\na@example.com;${wants}\nb@example.com;"${refuses}"\n`;
  const { report, isOpen, questions: asked } = await importHarness().check(file);
  expect([asked.length, isOpen]).toEqual([questions, questions > 0]);
  if (questions === 0) expect(report).toMatchObject({ active: 1, left: { unsubscribed: 1 } });
});

/** Files whose owner has to be asked about one column before `b@example.com` can get email. */
test.each([
  ["a consent that mentions unsubscribing", "Send me the newsletter (unsubscribe any time)", "Yes", ""],
  ["the same in its values", "Question 5", "I agree to get emails and can unsubscribe any time", ""],
  ["a column about calls whose value says more", "Last call", "fine", "Do not contact, do not email"],
  ["a date of consent with a no", "Marketing consent date", "2026-06-01", "no"],
  ["a vague name with a no", "May we email you?", "yes", "no"],
  ["a long text with accents", "Remarks", "", `${"x".repeat(105)} il est désabonné`],
  ["a long text with signs", "Remarks", "", `${"x".repeat(105)} do not - contact`],
  ["a remark in other words", "Remarks", "", "No more emails please"],
  ["another", "Remarks", "fine", "möchte keine weiteren Mails"],
])("%s is asked about", async (_, name, wants, refuses) => {
  const file = `email;"${name}"\na@example.com;"${wants}"\nb@example.com;"${refuses}"\n`;
  const { isOpen, questions } = await importHarness().check(file);
  expect([isOpen, questions.length]).toEqual([true, 1]);
});

test.each([
  ["Subscribed to emails", ""],
  ["Wants our newsletter", ""],
  ["EMAILOPTIN", "pending"],
])("a column “%s” with “%s” alone is asked about", async (name, cell) => {
  await emptyDatabase();
  const { isOpen, questions } = await importHarness().check(
    `email,${name}\na@example.com,${cell}\nb@example.com,${cell}`,
  );
  expect([isOpen, questions.map(({ words }) => words.map(({ word, rows }) => [word, rows]))]).toEqual([
    true,
    [[[cell, 2]]],
  ]);
});

test("a row with more cells than columns still says no, also of the same address in another row", async () => {
  const rows = ["a@example.com,Ada,active", "a@example.com,Lovelace, Ada,unsubscribed", "b@example.com,Bob, x,active"];
  const { report } = await importHarness().check(["email,name,status", ...rows].join("\n"));
  expect(report).toMatchObject({ active: 0, left: { unsubscribed: 1 }, leftOut: 2 });
});

test("a column about opting out is not read as another field unasked", async () => {
  const file = "email,Opted out,role\na@example.com,no,\nb@example.com,yes,do not contact\n";
  for (const field of ["source", "utm_source"] as const) {
    const { isOpen } = await importHarness().check(file, { mapping: ["email", field, null] });
    expect(isOpen).toBe(true);
  }
  expect(columnErrors(["email", "joined", null], ["email", "Opted out", "role"])).toHaveLength(1);
  const { report } = await importHarness().check("email,role\na@example.com,host\nb@example.com,do not contact\n");
  expect(report).toMatchObject({ active: 1, leftOut: 1 });
});

test("a value that is no yes or no makes no Pioneer", async () => {
  await importHarness().import(
    "email,Pioneer\na@example.com,FALSCH\nb@example.com,Nein\nc@example.com,ja\nd@example.com,perhaps\n",
    { words: { 1: { perhaps: "no" } } },
  );
  expect((await rows("waitlist_emails")).map(({ early_adopter }) => early_adopter)).toEqual([0, 0, 1, 0]);
});

test("what the owner says of all other words is not said of empty cells", async () => {
  const reasons = Array.from({ length: 60 }, (_, index) => `b${index}@example.com,reason ${index}\n`);
  const file = `email,Bounce reason\na@example.com,\n${reasons.join("")}`;
  const { questions } = await importHarness().check(file);
  const words = Object.fromEntries(questions[0]?.words.map(({ word }) => [word, "bounced"]) ?? []);
  const { report } = await importHarness().import(file, { words: { 1: words } });
  expect([Object.keys(words).length, report.active, report.left.bounced]).toEqual([51, 1, 60]);
});

test("rows that are left out because of their cells are not counted as empty cells", async () => {
  const file = "email,Newsletter consent\na@example.com,yes\nb@example.com,no\nc@example.com,yes,more\n";
  const { questions } = await importHarness().check(file);
  expect(questions[0]?.words.map(({ word, rows }) => [word, rows])).toEqual([
    ["yes", 1],
    ["no", 1],
  ]);
});

test("answers are read from labels in quotation marks, as Mailchimp exports them", async () => {
  await importHarness().import('email,TAGS\na@example.com,"""fair"",""role: host"""\n');
  expect(await rows("waitlist_emails")).toMatchObject([{ answers: '{"role":"host"}' }]);
});

describe("whatever the file", () => {
  const spelled = (name: string) =>
    fc.constantFrom(name, name.toUpperCase(), ` ${name.toLowerCase()} `, name.replaceAll(" ", "_"), `Email ${name}`);
  /** A column with a cell that wants email and one that does not, by its own words. */
  const column = fc.oneof(
    fc.tuple(
      fc.constantFrom(...refusalNames).chain(spelled),
      fc.constantFrom("", "no", "0", "FALSE"),
      fc.constantFrom("yes", "TRUE", "1", "x", "WAHR", "2026-06-01", "03/04/2026", "mailbox full", "J"),
    ),
    fc.tuple(
      fc.constantFrom(...consentNames).chain(spelled),
      fc.constantFrom("yes", "TRUE", "1"),
      fc.constantFrom("no", "FALSE", "0", "N", "FALSCH", "off", "", "never", "pending", ...refusals),
    ),
    fc.tuple(
      fc.constantFrom("type", "Column 4", "Tags", "Notes", "Source", "Q7"),
      fc.constantFrom("regular", "", "fair"),
      fc.constantFrom(...refusals),
    ),
  );
  const harmless = fc.constantFrom(["Name", "Ada", "Bob"], ["City", "Leeds", "York"], ["Plan", "free", "pro"]);
  const file = fc.record({
    columns: fc.array(fc.oneof({ arbitrary: column, weight: 3 }, harmless), { minLength: 1, maxLength: 4 }),
    /** Of which columns a person says no. */
    people: fc.array(fc.nat(15), { minLength: 2, maxLength: 6 }),
    separator: fc.constantFrom(",", ";", "\t"),
  });

  test("no one whom a column marks as opted out, bounced or complained is active and unasked", async () => {
    await fc.assert(
      fc.asyncProperty(file, async ({ columns, people, separator }) => {
        await emptyDatabase();
        const refusing = columns.map(([name]) => !["Name", "City", "Plan"].includes(name.trim()));
        const cells = [
          ["email", ...columns.map(([name]) => name)],
          ...people.map((no, index) => [
            `p${index}@example.com`,
            ...columns.map(([, wants, refuses], at) => ((no >> at) & 1 ? refuses : wants)),
          ]),
        ];
        const text = cells.map((row) => row.map((cell) => `"${cell}"`).join(separator)).join("\r\n");
        const { id, report, isOpen, settings, questions } = await importHarness().check(text);
        const words = questions.map(({ column: at, words: asked }) => [at, new Set(asked.map(({ word }) => word))]) as [
          number,
          Set<string>,
        ][];
        await importHarness().confirm(id);
        await importHarness().run();
        const active = new Set(
          (await rows("waitlist_emails")).flatMap(({ email, status }) => (status === "active" ? [email] : [])),
        );
        for (const [index, no] of people.entries()) {
          const refusals = refusing.flatMap((isRefusing, at) => (isRefusing && (no >> at) & 1 ? [at + 1] : []));
          const isAsked = refusals.some((at) =>
            words.some(([column, asked]) => column === at && asked.has((cells[index + 1]?.[at] ?? "").toLowerCase())),
          );
          const mayBeActive = refusals.length === 0 || isAsked;
          if (!mayBeActive) expect(active.has(`p${index}@example.com`), text).toBe(false);
        }
        expect([isOpen, settings.words ?? {}, report.rows]).toEqual([
          questions.some(({ isRequired }) => isRequired),
          {},
          people.length,
        ]);
      }),
      { seed: fuzzSeed(), numRuns: fuzzCases(150) },
    );
  });
});
