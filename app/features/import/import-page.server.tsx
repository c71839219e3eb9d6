import { inArray } from "drizzle-orm";
import { Fragment } from "react";
import { importedPerHour } from "#app/email/limits.ts";
import { checkedRows, checkRows, type ImportReport } from "#app/features/import/file/check.server.ts";
import { fieldLabels, guessMapping } from "#app/features/import/file/fields.ts";
import { hasOpenQuestions, wordQuestions } from "#app/features/import/file/questions.ts";
import type { CsvRow } from "#app/features/import/file/read-csv.server.ts";
import { cellText, type ImportSettings, NOTHING, OTHERS, toEntry } from "#app/features/import/file/to-entry.server.ts";
import {
  confirmImport,
  discardImport,
  findImport,
  firstRows,
  type Import,
  importedToday,
  saveCheck,
  stagedRows,
} from "#app/features/import/imports.server.ts";
import { continueNow, LeftOut, resume, showProgress, stop } from "#app/features/import/progress-page.server.tsx";
import { type GivenSettings, readSettings, timeZones } from "#app/features/import/settings.server.ts";
import { Actions, Button, ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { ConsentFields } from "#app/owner/ui/consent-fields.server.tsx";
import { CSV_BOM, csvLine, escapeFormulas } from "#app/owner/ui/csv.ts";
import { Facts, Table, Tile } from "#app/owner/ui/data.server.tsx";
import { downloadCsv } from "#app/owner/ui/download-csv.ts";
import { ChoiceField, Field, FieldGroup } from "#app/owner/ui/field.server.tsx";
import { runIntent } from "#app/owner/ui/intent.server.ts";
import { counted, formatHours, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import type { OwnerContext, OwnerHandler } from "#app/owner/ui/owner-context.ts";
import { Lines, Message, Page, Problems, Section } from "#app/owner/ui/page.server.tsx";
import { streamText } from "#app/owner/ui/stream-text.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { logInfo } from "#app/server/log.ts";
import type { Entry } from "#app/waitlist/entries/entries.server.ts";
import { columnText, entryColumns } from "#app/waitlist/entries/entry-columns.server.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { askedQuestions } from "#app/waitlist/questions/questions.server.ts";

/** Handles requests with the import that their path names, once its file is stored. */
function withImport(handle: (c: OwnerContext, found: Import) => ReturnType<OwnerHandler>): OwnerHandler {
  return async (c) => {
    const found = await findImport(c.var.app.db, Number(c.req.param("id")));
    return found === null || found.state === "receiving" ? c.notFound() : handle(c, found);
  };
}

/** The page of an import: how its file is read and what would happen, or how far it is. */
export const showImport = withImport((c, found) =>
  found.confirmed_at === null ? showCheck(c, found) : showProgress(c, found),
);

export const changeImport = withImport((c, found) =>
  runIntent(c, { check, confirm, continue: resume, stop, discard }, found),
);

/** Checks every row of the file with the settings of the form. Adds no one. */
async function check(c: OwnerContext, found: Import) {
  const { db, hashKey, now } = c.var.app;
  const path = `/owner/import/${found.id}`;
  if (found.confirmed_at !== null) return c.redirect(path, 303);
  const checkedAt = now();
  const given = readSettings(c.var.form, found, { timeZone: c.var.app.timeZone, now: checkedAt });
  if (given.errors.length > 0) return showCheck(c, found, given);
  const file = { columns: found.columns, read: () => stagedRows(db, found.id) };
  const checked = await checkRows({ db, hashKey }, file, { settings: given.settings, now: checkedAt });
  await saveCheck(db, found.id, { ...checked, now: checkedAt });
  return c.redirect(path, 303);
}

async function confirm(c: OwnerContext, found: Import) {
  const { id, report } = found;
  const { db, now } = c.var.app;
  if (!hasOpenQuestions(found) && (await confirmImport(db, id, Number(c.var.form.get("checked")), now()))) {
    const people = report?.people ?? 0;
    await c.var.record("import", { importId: id, people });
    logInfo("import-confirmed", { importId: id, people });
    continueNow(c);
  }
  return c.redirect(`/owner/import/${id}`, 303);
}

async function discard(c: OwnerContext, { id }: Import) {
  if (await discardImport(c.var.app.db, id)) await c.var.record("discard-import", { importId: id });
  return c.redirect("/owner/import", 303);
}

/** @param given settings that were refused */
async function showCheck(c: OwnerContext, found: Import, given?: GivenSettings) {
  const { db, timeZone, now } = c.var.app;
  const { id, report, columns, checked_at, file_name } = found;
  const guess = { mapping: guessMapping(columns), consentDate: null, note: "", timeZone, monthFirst: null };
  const settings = given?.settings ?? found.settings ?? { ...guess, welcome: false, unsubscribe: true };
  const errors = given?.errors ?? [];
  if (given !== undefined) c.status(422);
  const rows = await firstRows(db, id);
  const optedOut = await findEmails(c, report?.optedOut.entries ?? []);
  const context = { settings, now: checked_at ?? 0 };
  const entries = rows.slice(0, 100).flatMap((row) => {
    const { entry } = toEntry(row, context);
    return entry === null ? [] : [{ ...entry, disposable: false }];
  });
  const isOpen = hasOpenQuestions(found);
  const mustAnswer = report === null || isOpen || errors.length > 0;
  const checkedAt = <input type="hidden" name="checked" value={String(checked_at)} />;
  const fields = <Settings found={found} settings={settings} errors={errors} rows={rows} zones={timeZones(timeZone)} />;
  const form = (
    <form id="settings" className="form form-wide" method="post">
      {checkedAt}
      {report === null ? null : <Questions found={{ ...found, settings }} settings={settings} optedOut={optedOut} />}
      {isOpen && report?.ambiguousDates === 0 ? (
        <details className="data" open={errors.length > 0}>
          <summary>Columns, dates and consent</summary>
          {fields}
        </details>
      ) : (
        fields
      )}
      <Button label={report === null ? "Check the file" : "Check the file again"} value="check" />
    </form>
  );
  return c.render(
    <Page
      title={report === null ? "Choose columns" : "Check the import"}
      section="import"
      back={{ href: "/owner/import", name: "All imports" }}
    >
      <p className="lead">{`${file_name}: ${counted(found.rows, "row", "rows")}. No one has been added yet.`}</p>
      <Problems problems={errors.map(({ text }) => text)} />
      {isOpen ? (
        <Message kind="error">The file leaves something open. Answer it below, and the import can start.</Message>
      ) : null}
      {mustAnswer ? form : null}
      {report === null || mustAnswer ? null : (
        <>
          <Numbers report={report} />
          <Summary c={c} found={found} report={report} today={await importedToday(db, now())} />
          {report.people === 0 ? null : (
            <form method="post">
              {checkedAt}
              <Actions>
                <Button label={`Import ${counted(report.people, "person", "people")}`} value="confirm" />
              </Actions>
            </form>
          )}
          <Preview entries={entries} timeZone={timeZone} />
        </>
      )}
      {report === null ? null : <LeftOut report={report} download={`/owner/import/${id}/problems.csv`} />}
      {mustAnswer ? null : (
        <details className="data" open={optedOut.length > 0}>
          <summary>Change columns, answers or consent</summary>
          {form}
        </details>
      )}
      <Actions>
        <ButtonForm label="Discard the file" value="discard" />
      </Actions>
    </Page>,
  );
}

function findEmails(c: OwnerContext, ids: number[]) {
  const { id, email } = waitlistEmails;
  return c.var.app.db.select({ email }).from(waitlistEmails).where(inArray(id, ids));
}

function Numbers({ report }: { report: ImportReport }) {
  const { active, left, unchanged, filled = 0, optedOut, keptOut, leftOut, people } = report;
  const { unsubscribed, bounced, complained } = left;
  const gone = unsubscribed + bounced + complained;
  const bounces = [...(bounced > 0 ? [`${bounced} bounced`] : []), ...(complained > 0 ? [`${complained} spam`] : [])];
  return (
    <>
      <dl className="tiles">
        <Tile name="Will be added" value={active} main />
        {gone === 0 ? null : (
          <Tile name="Added as unsubscribed" value={gone}>
            {bounces.join(", ") || null}
          </Tile>
        )}
        {optedOut.people === 0 ? null : (
          <Tile name="Will be unsubscribed" value={people - active - gone - unchanged - filled - keptOut} />
        )}
        <Tile name="Already on the waitlist, unchanged" value={unchanged} />
        {filled === 0 ? null : <Tile name="On the waitlist, answers filled in" value={filled} />}
        {keptOut === 0 ? null : <Tile name="Not added: they get no email" value={keptOut} />}
        <Tile name="Rows left out" value={leftOut} />
      </dl>
      {people === 0 ? <Message kind="error">There is no one to import. See the problems below.</Message> : null}
    </>
  );
}

interface QuestionsProps {
  found: Import;
  settings: ImportSettings;
  /** The first of those who are active here and opted out in the file. */
  optedOut: { email: string }[];
}

/** What the file leaves open. */
function Questions({ found, settings, optedOut }: QuestionsProps) {
  const people = found.report?.optedOut.people ?? 0;
  const names = optedOut.map(({ email }) => email).join(", ");
  return (
    <>
      {people === 0 ? null : (
        <FieldGroup
          legend={`${counted(people, "person", "people")} on the waitlist opted out, according to this file`}
          hint={`They get email from this site now: ${names}${people > optedOut.length ? " and others" : ""}.`}
        >
          <ChoiceField
            name="opted-out"
            options={{ unsubscribe: "Unsubscribe them", keep: "Leave them as they are" }}
            value={settings.unsubscribe ? "unsubscribe" : "keep"}
          />
        </FieldGroup>
      )}
      {wordQuestions(found).map(({ column, name, hint, words, meanings }) => (
        <FieldGroup key={column} legend={`“${name}”`} hint={hint}>
          <div className="fields import-columns">
            {words.map(({ word, rows, meaning }, index) => (
              <Field
                key={word}
                id={`w${column}-${index}`}
                name={`w${column}.${index}`}
                label={`${word === OTHERS ? "All others" : word === "" ? "An empty cell" : `“${word}”`} (${counted(rows, "row", "rows")})`}
                options={meanings}
                value={meaning}
              />
            ))}
          </div>
          {words.length > 1 && NOTHING in meanings ? (
            <ChoiceField
              name={`nothing.${column}`}
              type="checkbox"
              options={{ yes: "The whole column says nothing about emails" }}
              value=""
            />
          ) : null}
        </FieldGroup>
      ))}
    </>
  );
}

interface SettingsProps {
  found: Import;
  settings: ImportSettings;
  errors: GivenSettings["errors"];
  rows: CsvRow[];
  zones: string[];
}

/** How the file is read, and the record of consent. */
function Settings({ found: { columns, report }, settings, errors, rows, zones }: SettingsProps) {
  const { mapping, monthFirst, timeZone, consentDate, note, welcome } = settings;
  const problemOf = (name: string) => errors.find(({ field }) => field === name)?.text;
  const ambiguous = report === null || monthFirst !== null ? 0 : report.ambiguousDates;
  return (
    <>
      <FieldGroup legend="What the columns hold">
        <div className="fields import-columns">
          {columns.map((column, index) => (
            <Field
              // biome-ignore lint/suspicious/noArrayIndexKey: columns can have the same name
              key={index}
              name={`c${index}`}
              label={column || `Column ${index + 1}`}
              hint={<FirstValues rows={rows} column={index} />}
              options={{ "": "Leave out", ...fieldLabels() }}
              value={mapping[index] ?? ""}
            />
          ))}
        </div>
      </FieldGroup>
      <FieldGroup
        legend="People who are on the waitlist already"
        hint="What they have answered themselves is never replaced. Undoing an import does not remove answers that were filled in, and leaves people whose answers a later import filled in."
      >
        <ChoiceField
          name="fill"
          options={{ no: "Leave them as they are", yes: "Fill in answers from the file that they have not given" }}
          value={settings.fill ? "yes" : "no"}
        />
      </FieldGroup>
      <FieldGroup legend="Its dates and times">
        <Field
          name="dates"
          label="Dates such as 03/04/2026 are"
          options={{
            "": "Whichever the file’s other dates show",
            "day-first": "3 April (day first)",
            "month-first": "4 March (month first)",
          }}
          value={monthFirst === null ? "" : monthFirst ? "month-first" : "day-first"}
          problem={
            ambiguous === 0
              ? null
              : `${counted(ambiguous, "date", "dates")} can be read in two ways, and no other date in the file shows which is right.`
          }
          isInSummary
        />
        <Field
          name="zone"
          label="Times without a time zone are in"
          hint="Many services export them in UTC."
          options={zones.map((zone) => [zone, zone.replaceAll("_", " ")])}
          value={timeZone}
        />
      </FieldGroup>
      <FieldGroup
        legend="Their consent"
        hint="You must be able to prove that each person agreed. The record is stored with each entry, and the person can see it."
      >
        <Field
          name="consent-from"
          label="People whose row has no date of consent agreed"
          options={{ date: "On the date below", joined: "On the day they joined, from its column" }}
          value={consentDate === "joined" ? "joined" : "date"}
        />
        <ConsentFields
          date={consentDate === "joined" ? "" : (consentDate ?? "")}
          note={note}
          problems={{ date: problemOf("consent-date"), note: problemOf("note") }}
          noteHint="It is stored with people whose row does not say how they agreed."
          isInSummary
        />
      </FieldGroup>
      <FieldGroup
        legend="Welcome email"
        hint="It says that they gave you their address outside the site, and how to unsubscribe."
      >
        <ChoiceField
          name="welcome"
          options={{ yes: "Send it to everyone who is added", no: "Don’t send it" }}
          value={welcome ? "yes" : "no"}
        />
      </FieldGroup>
    </>
  );
}

const SHOWN_ROWS = 5;

function FirstValues({ rows, column }: { rows: CsvRow[]; column: number }) {
  const texts = rows.slice(0, SHOWN_ROWS).map(([, cells]) => cellText(cells[column]));
  const filled = texts.filter((text) => text !== "").slice(0, 3);
  if (filled.length === 0) return "No values in the first rows";
  return filled.map((text, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: values can be the same
    <Fragment key={index}>
      <Word>{`${text.length > 60 ? `${Array.from(text).slice(0, 60).join("")}…` : text}${index < filled.length - 1 ? "," : ""}`}</Word>{" "}
    </Fragment>
  ));
}

/** A word such as an address, which moves to the next line before it breaks; only one too long for a phone may break. */
function Word({ children }: { children: string }) {
  return children.length > 40 ? children : <span className="word">{children}</span>;
}

interface SummaryProps {
  c: OwnerContext;
  found: Import;
  report: ImportReport;
  /** Rows that other imports have imported today. */
  today: number;
}

function Summary({ c, found, report, today }: SummaryProps) {
  const { undated } = report;
  const empty = wordQuestions(found).flatMap(({ name, isRequired, words }) => {
    const rows = words.reduce((total, { rows: count, meaning }) => total + (meaning === "" ? count : 0), 0);
    const text = `“${name}” is left empty in ${counted(rows, "row", "rows")}, because the value is not known.`;
    return isRequired || rows === 0 ? [] : [text];
  });
  const facts: [name: string, text: string | null][] = [
    [
      "Joined",
      undated === 0
        ? null
        : `The file does not say when ${counted(undated, "person", "people")} joined. They will have joined today, behind everyone else.`,
    ],
    ["Left empty", empty.join("\n") || null],
    ["Welcome email", found.settings?.welcome ? emailText(report.active, c) : "Not sent."],
    [
      "Confirmation",
      c.var.app.mustConfirm
        ? "They are not asked to confirm their address, because you record when and how they agreed. People whom the file marks as unconfirmed stay unconfirmed: they get no email, and are erased 30 days after they joined."
        : null,
    ],
    ["Takes", durationText(report.rows, today, c)],
  ];
  return <Facts facts={facts.map(([name, text]) => [name, text === null ? null : <Lines key={name} text={text} />])} />;
}

function emailText(emails: number, c: OwnerContext): string {
  const { emailsPerHour, mailer } = c.var.app;
  const perHour = importedPerHour(emailsPerHour);
  const isLate = emails / perHour > 24 * 28;
  return [
    `Sent to ${counted(emails, "person", "people")}, at most ${formatNumber(perHour)} an hour, which takes ${formatHours(emails / perHour)}. People who sign up on the site do not wait for them.`,
    isLate ? "The links in these emails work for 30 days from now, so some arrive with a link that has expired." : "",
    isLate ? "Advanced: raise MAIL_PER_HOUR first. Imported people get a quarter of it." : "",
    mailer ? "" : "This site has no sender yet: they wait until it has one.\nAdvanced: set MAIL_FROM.",
  ]
    .filter(Boolean)
    .join("\n");
}

/** Null if it takes a minute or so. */
function durationText(rows: number, today: number, c: OwnerContext): string | null {
  const { importedAtOnce, importedADay, jobsOfEachKind } = c.var.app.plan;
  if (rows <= importedAtOnce || jobsOfEachKind > 1) return null;
  const days = Math.ceil((today + rows) / importedADay);
  const text =
    days > 1
      ? `It takes up to ${days} days, so that the database can still store people who sign up.`
      : `It takes ${formatHours(rows / importedAtOnce / 60)}.`;
  return `${text} You can leave the page.\nAdvanced: on the free Workers plan the site imports ${importedAtOnce} rows a minute, and at most ${formatNumber(importedADay)} a day. The command line has no such limits: npm run owner -- import FILE --remote`;
}

function shownColumns() {
  const names = ["email", "joined", "consent", "source", ...askedQuestions().map(answerField), "status"];
  return names.flatMap((name) => entryColumns().filter((column) => column.name === name));
}

/** The first people, as they will be stored. */
function Preview({ entries, timeZone }: { entries: Entry[]; timeZone: string }) {
  if (entries.length === 0) return null;
  return (
    <Section id="first-rows" title="The first people, as they will be stored">
      <Table
        className="cards"
        columns={shownColumns().map((column) => ({
          name: column.label,
          kind: "words",
          cell: (entry: Entry) => {
            const text = columnText(column, entry, (time) => formatTime(time, timeZone)) ?? "–";
            if (column.name === "consent") return [text, entry.consent_note].filter((part) => part !== null).join(": ");
            return column.name === "email" ? <Word>{text}</Word> : text;
          },
        }))}
        rows={entries.slice(0, SHOWN_ROWS)}
        rowKey={({ email }) => email}
      />
    </Section>
  );
}

/** Every row that is left out, with its line and why, as CSV. A POST, as for every download of people's data. */
export const downloadProblems = withImport(async (c, found) => {
  const { columns, settings, report, checked_at, confirmed_at } = found;
  if (settings === null || report === null || confirmed_at !== null) return c.notFound();
  await c.var.record("download-problems", { importId: found.id, rows: report.leftOut });
  const lines = async function* () {
    yield CSV_BOM + csvLine(["line", "problem", ...columns.map(escapeFormulas)]);
    const rows = stagedRows(c.var.app.db, found.id);
    for await (const { row, why } of checkedRows(rows, { settings, now: checked_at ?? 0 })) {
      if (why !== "") yield csvLine([row[0], why, ...row[1].map(escapeFormulas)]);
    }
  };
  return downloadCsv(c, `import-${found.id}-problems.csv`, streamText(lines(), "import-problems-failed"));
});
