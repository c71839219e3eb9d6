import { importedPerHour } from "#app/email/limits.ts";
import type { ImportedEntry } from "#app/features/import/add-imported.server.ts";
import { checkedRows, type ImportReport } from "#app/features/import/file/check.server.ts";
import { type FieldName, fieldLabels, fieldNames } from "#app/features/import/file/fields.ts";
import { confirmImport, firstRows, type Import, importedToday } from "#app/features/import/imports.server.ts";
import {
  hasOpenQuestions,
  meanings,
  readMeanings,
  type WordQuestion,
  wordQuestions,
} from "#app/features/import/open-questions.ts";
import { ImportProblems } from "#app/features/import/problems-page.server.tsx";
import { continueNow } from "#app/features/import/progress-page.server.tsx";
import { readOrder } from "#app/features/import/read-settings.server.ts";
import {
  allImports,
  Discard,
  defaultSettings,
  SHOWN_ROWS,
  saveChecked,
  Word,
} from "#app/features/import/settings-page.server.tsx";
import { Actions, Button, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { Facts, Table, Tile } from "#app/owner/ui/data.server.tsx";
import { Field, FieldGroup } from "#app/owner/ui/field.server.tsx";
import { counted, formatHours, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Lines, Message, Page, Section } from "#app/owner/ui/page.server.tsx";
import type { PlanLimits } from "#app/server/config/plan-limits.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { logInfo } from "#app/server/log.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { questions } from "#app/site.ts";
import { wordFor } from "#app/ui/word-for.ts";
import { sourceNames } from "#app/waitlist/entries/sources.ts";
import { answerText } from "#app/waitlist/questions/answers.ts";
import { answerTo } from "#app/waitlist/questions/questions.server.ts";

export async function confirm(c: OwnerContext, { id, report, settings }: Import) {
  const { db, now } = c.var.app;
  const isOpen = report !== null && hasOpenQuestions(report, settings);
  if (!isOpen && (await confirmImport(db, id, Number(c.var.form.get("checked")), now()))) {
    const people = report?.ready ?? 0;
    await c.var.record("import", { importId: id, people });
    logInfo("import-confirmed", { importId: id, people });
    continueNow(c);
  }
  return c.redirect(`/owner/import/${id}`, 303);
}

/** Checks every row again, with the owner's answers to what the file leaves open. */
export async function answerOpenQuestions(c: OwnerContext, found: Import) {
  const { form } = c.var;
  const { report, settings } = found;
  // Its words are numbered as the page that was answered numbered them.
  if (report === null || settings === null || Number(form.get("checked")) !== found.checked_at)
    return c.redirect(`/owner/import/${found.id}`, 303);
  const words = readMeanings(report, form);
  const monthFirst = report.ambiguousDates > 0 ? readOrder(fieldText(form, "dates")) : settings.monthFirst;
  return saveChecked(c, found, { ...settings, words, monthFirst }, c.var.app.now());
}

export async function showReview(c: OwnerContext, found: Import) {
  const { db, now, timeZone, plan, emailsPerHour, mustConfirm, mailer } = c.var.app;
  const report = found.report as ImportReport;
  const context = { settings: found.settings ?? defaultSettings(c, found.columns), now: found.checked_at ?? 0 };
  const entries: ImportedEntry[] = [];
  for await (const { entry } of checkedRows([await firstRows(db, found.id)], context)) {
    if (entry !== null && entries.push(entry) === SHOWN_ROWS) break;
  }
  // Rows that other imports have imported today.
  const today = await importedToday(db, now());
  const added = report.ready - report.listed;
  const path = `/owner/import/${found.id}`;
  const isOpen = hasOpenQuestions(report, found.settings);
  const change = <ButtonLink label="Change columns or consent" kind="quiet" href={`${path}?change`} />;
  return c.render(
    <Page title="Check the import" section="import" back={allImports}>
      <p className="lead">{`${found.file_name}: ${counted(report.rows, "row", "rows")}. No one has been added yet.`}</p>
      <dl className="tiles">
        <Tile name="Will be added" value={added} main />
        <Tile name="Already on the waitlist, unchanged" value={report.listed} />
        <Tile name="Rows left out" value={report.leftOut} />
      </dl>
      {isOpen ? (
        <Message kind="error">The file leaves something open. Answer it below, and the import can start.</Message>
      ) : null}
      {report.ready === 0 ? <Message kind="error">There is no one to import. See the problems below.</Message> : null}
      <ImportQuestions {...found} report={report} />
      {report.ready === 0 ? null : (
        <Summary
          report={report}
          welcome={
            found.settings?.welcome
              ? emailText(added - report.unsubscribed, emailsPerHour, mailer !== null)
              : "Not sent."
          }
          takes={durationText(report.rows, today, plan)}
          mustConfirm={mustConfirm}
        />
      )}
      <Preview entries={entries} timeZone={timeZone} />
      <ImportProblems report={report} download={`${path}/problems.csv`} />
      {report.ready === 0 || isOpen ? (
        <Actions>{change}</Actions>
      ) : (
        <form method="post">
          <input type="hidden" name="checked" value={String(found.checked_at)} />
          <Actions>
            <Button label={`Import ${counted(report.ready, "person", "people")}`} value="confirm" />
            {change}
          </Actions>
        </form>
      )}
      <Discard />
    </Page>,
  );
}

interface SummaryProps {
  report: ImportReport;
  welcome: string;
  takes: string | null;
  /** Whether people who sign up on the site have to confirm their address. */
  mustConfirm: boolean;
}

function Summary({ report, welcome, takes, mustConfirm }: SummaryProps) {
  const empty = valuesLeftEmpty(report);
  const facts: [name: string, text: string | null][] = [
    ["Unchanged", "People who are already on the waitlist or have unsubscribed."],
    [
      "Not added",
      "Addresses that bounced, reported spam or asked for no email, and people who had left, or erased their entry themselves.",
    ],
    ["Unsubscribed", report.unsubscribed > 0 ? leftText(report) : null],
    [
      "Joined",
      report.undated > 0
        ? `The file does not say when ${counted(report.undated, "person", "people")} joined. They will have joined today, behind everyone else.`
        : null,
    ],
    ["Left empty", empty.length > 0 ? empty.join("\n") : null],
    ["Welcome email", welcome],
    [
      "Confirmation",
      mustConfirm
        ? "They are not asked to confirm their address, because you record when and how they agreed. People whom the file marks as unconfirmed stay unconfirmed: they get no email, and are erased 30 days after they joined."
        : null,
    ],
    ["Takes", takes],
  ];
  return (
    <Section id="summary" title="Summary">
      <Facts facts={facts.map(([name, text]) => [name, text === null ? null : <Lines key={name} text={text} />])} />
    </Section>
  );
}

/** Null if it takes a minute or so. */
function durationText(
  rows: number,
  today: number,
  { importedAtOnce, importedADay, jobsOfEachKind }: PlanLimits,
): string | null {
  if (rows <= importedAtOnce || jobsOfEachKind > 1) return null;
  const days = Math.ceil((today + rows) / importedADay);
  const text =
    days > 1
      ? `It takes up to ${days} days, so that the database can still store people who sign up.`
      : `It takes ${formatHours(rows / importedAtOnce / 60)}.`;
  return `${text} You can leave the page.\nAdvanced: on the free Workers plan the site imports ${importedAtOnce} rows a minute, and at most ${formatNumber(importedADay)} a day. The command line has no such limits: npm run owner -- import FILE --remote`;
}

function leftText({ unsubscribed, bounced, complained }: ImportReport): string {
  const reasons = [
    ["unsubscribed", unsubscribed - bounced - complained],
    ["with an address that bounced", bounced],
    ["who marked an email as spam", complained],
  ] as const;
  const parts = reasons.flatMap(([text, count]) => (count > 0 ? [`${formatNumber(count)} ${text}`] : []));
  return `${counted(unsubscribed, "person", "people")} will be on the list as unsubscribed, and will get no email. By the file: ${parts.join(", ")}.`;
}

function emailText(emails: number, emailsPerHour: number, hasSender: boolean): string {
  const perHour = importedPerHour(emailsPerHour);
  const hours = Math.max(0, emails) / perHour;
  const isLate = hours > 24 * 28;
  return [
    `Sent to up to ${counted(Math.max(0, emails), "person", "people")}, at most ${formatNumber(perHour)} an hour, which takes ${formatHours(hours)}. People who sign up on the site do not wait for them.`,
    ...(isLate
      ? ["The links in these emails work for 30 days from now, so some arrive with a link that has expired."]
      : []),
    ...(isLate ? ["Advanced: raise MAIL_PER_HOUR first. Imported people get a quarter of it."] : []),
    ...(hasSender ? [] : ["This site has no sender yet: they wait until it has one.", "Advanced: set MAIL_FROM."]),
  ].join("\n");
}

function Preview({ entries, timeZone }: { entries: ImportedEntry[]; timeZone: string }) {
  if (entries.length === 0) return null;
  const time = (at: EpochMillis | null) => (at === null ? null : formatTime(at, timeZone));
  return (
    <Section id="first-rows" title="The first people, as they will be stored">
      <Table
        className="cards"
        columns={[
          { name: "Address", kind: "words", cell: ({ email }) => <Word>{email}</Word> },
          { name: "Joined", cell: ({ created_at }) => formatTime(created_at, timeZone) },
          {
            name: "Agreed",
            kind: "words",
            cell: ({ consent_at, consent_note }) =>
              [time(consent_at), consent_note].filter((part) => part !== null).join(": "),
          },
          { name: "Source", kind: "words", cell: ({ source }) => wordFor(sourceNames, source) },
          ...questions.map((question) => ({
            name: question.label,
            kind: "words" as const,
            cell: ({ answers = null }: ImportedEntry) => {
              const answer = answerTo(question, answers);
              return answer === null ? "–" : answerText(question, answer);
            },
          })),
          { name: "Status", cell: ({ status }) => (status === "active" ? "Active" : "Unsubscribed") },
        ]}
        rows={entries}
        rowKey={({ email }) => email}
      />
    </Section>
  );
}

function ImportQuestions({ report, settings, checked_at }: Import & { report: ImportReport }) {
  const asked = wordQuestions(report, settings);
  const { ambiguousDates } = report;
  if (asked.length === 0 && ambiguousDates === 0) return null;
  return (
    <Section id="questions" title="What does the file mean?">
      <form className="form" method="post">
        <input type="hidden" name="checked" value={String(checked_at)} />
        {ambiguousDates === 0 ? null : (
          <FieldGroup legend="Dates">
            <Field
              name="dates"
              label="Dates such as 03/04/2026 are"
              hint={`${counted(ambiguousDates, "date", "dates")} can be read in two ways, and no other date in the file shows which is right.`}
              options={{ "": "Choose", "day-first": "3 April (day first)", "month-first": "4 March (month first)" }}
            />
          </FieldGroup>
        )}
        {asked.map((question) => (
          <Words key={question.field} {...question} />
        ))}
        <Button label="Check the file again" value="settle" />
      </form>
    </Section>
  );
}

function Words({ field, words, meanings, isRequired }: WordQuestion) {
  const hint = isRequired
    ? "This site does not know these words. Only people who agreed to emails may get them."
    : "These are not among the answers. The people are added in any case.";
  return (
    <FieldGroup legend={fieldName(field)} hint={hint}>
      {words.map(({ word, rows, meaning }, index) => (
        <Field
          key={word}
          name={`${field}.${index}`}
          id={`${field}-${index}`}
          label={`“${word}” (${counted(rows, "row", "rows")})`}
          options={meanings}
          value={meaning}
        />
      ))}
    </FieldGroup>
  );
}

/** What the file leaves empty because its values are not known, and nobody needs to say what they mean. */
function valuesLeftEmpty({ words = {} }: ImportReport): string[] {
  return fieldNames.flatMap((field) => {
    const rows = Object.values(words[field] ?? {}).reduce((sum, count) => sum + count, 0);
    if (rows === 0 || meanings.has(field)) return [];
    return [`${fieldName(field)} is left empty in ${counted(rows, "row", "rows")}, because the value is not known.`];
  });
}

/** A field's label without examples of its values. */
function fieldName(field: FieldName): string {
  return (fieldLabels[field] ?? field).replace(/ \(.*/, "");
}
