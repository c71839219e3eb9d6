import { importedPerHour } from "#app/email/limits.ts";
import type { ImportedEntry } from "#app/features/import/add-imported.server.ts";
import type { ImportReport } from "#app/features/import/file/check.server.ts";
import { type FieldName, fieldLabels, fieldNames } from "#app/features/import/file/fields.ts";
import type { ImportSettings } from "#app/features/import/file/to-entry.server.ts";
import type { Import } from "#app/features/import/imports.server.ts";
import { hasOpenQuestions, meaningsOf, type WordQuestion, wordQuestions } from "#app/features/import/open-questions.ts";
import { ImportProblems } from "#app/features/import/problems-page.server.tsx";
import { allImports, Discard } from "#app/features/import/settings-view.server.tsx";
import { Word } from "#app/features/import/word.server.tsx";
import { Actions, Button, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { Facts, Table, Tile } from "#app/owner/ui/data.server.tsx";
import { Field, FieldGroup } from "#app/owner/ui/field.server.tsx";
import { counted, formatHours, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Lines, Message, Page, Section } from "#app/owner/ui/page.server.tsx";
import type { PlanLimits } from "#app/server/config/plan-limits.ts";
import { questions } from "#app/site.ts";
import { wordFor } from "#app/ui/word-for.ts";
import { sourceNames } from "#app/waitlist/entries/sources.ts";
import { answerText } from "#app/waitlist/questions/answers.ts";
import { answerTo } from "#app/waitlist/questions/questions.server.ts";

interface ImportReviewProps {
  found: Import;
  entries: ImportedEntry[];
  timeZone: string;
  plan: PlanLimits;
  /** Rows that other imports have imported today. */
  today: number;
  /** Whether people who sign up on the site have to confirm their address. */
  mustConfirm: boolean;
  sending: { emailsPerHour: number; hasSender: boolean };
}

export function importReviewView({ found, entries, timeZone, ...context }: ImportReviewProps) {
  const report = found.report as ImportReport;
  const added = report.ready - report.listed;
  const path = `/owner/import/${found.id}`;
  const isOpen = hasOpenQuestions(report, found.settings);
  const change = <ButtonLink label="Change columns or consent" kind="quiet" href={`${path}?change`} />;
  return (
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
      <ImportQuestions report={report} settings={found.settings} checkedAt={found.checked_at} />
      {report.ready === 0 ? null : <Summary found={found} added={added} {...context} />}
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
    </Page>
  );
}

type SummaryProps = Omit<ImportReviewProps, "entries" | "timeZone"> & { added: number };

function Summary({ found, added, plan, today, mustConfirm, sending }: SummaryProps) {
  const report = found.report as ImportReport;
  const welcome = found.settings?.welcome === true;
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
    ["Welcome email", welcome ? emailText(added - report.unsubscribed, sending) : "Not sent."],
    [
      "Confirmation",
      mustConfirm
        ? "They are not asked to confirm their address, because you record when and how they agreed. People whom the file marks as unconfirmed stay unconfirmed: they get no email, and are erased 30 days after they joined."
        : null,
    ],
    ["Takes", durationText(report.rows, today, plan)],
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

function emailText(emails: number, { emailsPerHour, hasSender }: ImportReviewProps["sending"]): string {
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

function Preview({ entries, timeZone }: Pick<ImportReviewProps, "entries" | "timeZone">) {
  if (entries.length === 0) return null;
  const time = (at: number | null) => (at === null ? null : formatTime(at, timeZone));
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
            cell: ({ consent_at, consent_note }) => joined(": ", time(consent_at), consent_note),
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

function joined(separator: string, ...parts: (string | null)[]): string {
  return parts.filter((part) => part !== null).join(separator);
}

interface ImportQuestionsProps {
  report: ImportReport;
  settings: ImportSettings | null;
  checkedAt: number | null;
}

function ImportQuestions({ report, settings, checkedAt }: ImportQuestionsProps) {
  const asked = wordQuestions(report, settings);
  const { ambiguousDates } = report;
  if (asked.length === 0 && ambiguousDates === 0) return null;
  return (
    <Section id="questions" title="What does the file mean?">
      <form className="form" method="post">
        <input type="hidden" name="checked" value={String(checkedAt)} />
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
    if (rows === 0 || meaningsOf(field) !== undefined) return [];
    return [`${fieldName(field)} is left empty in ${counted(rows, "row", "rows")}, because the value is not known.`];
  });
}

/** A field's label without examples of its values. */
function fieldName(field: FieldName): string {
  return (fieldLabels[field] ?? field).replace(/ \(.*/, "");
}
