import { importedPerHour } from "#app/email/quotas.server.ts";
import type { ImportReport } from "#app/owner/import/check.server.ts";
import type { Import } from "#app/owner/import/imports.server.ts";
import { hasOpenQuestions } from "#app/owner/import/open-questions.ts";
import { ImportProblems } from "#app/owner/import/problems-view.server.tsx";
import { ImportQuestions, valuesLeftEmpty } from "#app/owner/import/questions-view.server.tsx";
import { rowsAtOnce } from "#app/owner/import/run.server.ts";
import { Discard } from "#app/owner/import/settings-view.server.tsx";
import { Actions, Button, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { Table, Tile } from "#app/owner/ui/data.server.tsx";
import { counted, formatHours, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Message, Page, Section } from "#app/owner/ui/page.server.tsx";
import type { WorkersPlan } from "#app/server/plan-limits.ts";
import { questions } from "#app/site.ts";
import { wordFor } from "#app/ui/word-for.ts";
import type { ImportedEntry } from "#app/waitlist/add-imported.server.ts";
import { answerText } from "#app/waitlist/questions/answers.ts";
import { answerTo } from "#app/waitlist/questions/questions.server.ts";
import { sourceNames } from "#app/waitlist/sources.ts";

interface ImportReviewProps {
  found: Import;
  /** The first people, as they will be stored. */
  entries: ImportedEntry[];
  timeZone: string;
  plan: WorkersPlan;
  /** Whether people who sign up on the site have to confirm their address. */
  mustConfirm: boolean;
  sending: { emailsPerHour: number; hasSender: boolean };
}

/** What the import would do; its button does it. */
export function importReviewView({ found, entries, timeZone, ...context }: ImportReviewProps) {
  const report = found.report as ImportReport;
  const added = report.ready - report.listed;
  const path = `/owner/import/${found.id}`;
  const isOpen = hasOpenQuestions(report, found.settings);
  return (
    <Page title="Check the import" section="import">
      <p className="lead">{`${found.file_name}: ${counted(report.rows, "row", "rows")}. No one has been added yet.`}</p>
      <dl className="tiles">
        <Tile name="Will be added" value={added} main />
        <Tile name="Already on the waitlist, unchanged" value={report.listed} />
        <Tile name="Rows left out" value={report.leftOut} />
      </dl>
      {isOpen ? (
        <Message kind="error">The file leaves something open. Answer it below, and the import can start.</Message>
      ) : null}
      <ImportQuestions report={report} settings={found.settings} checkedAt={found.checked_at} />
      {report.ready === 0 ? (
        <Message kind="error">There is no one to import. See the problems below.</Message>
      ) : (
        <>
          <Consequences found={found} added={added} {...context} />
          {isOpen ? null : (
            <form method="post">
              <input type="hidden" name="checked" value={String(found.checked_at)} />
              <Actions>
                <Button label={`Import ${counted(report.ready, "person", "people")}`} value="confirm" />
                <ButtonLink label="Change columns or consent" kind="quiet" href={`${path}?change`} />
              </Actions>
            </form>
          )}
        </>
      )}
      <Preview entries={entries} timeZone={timeZone} />
      <ImportProblems report={report} download={`${path}/problems.csv`} />
      {report.ready === 0 || isOpen ? (
        <Actions>
          <ButtonLink label="Change columns or consent" kind="quiet" href={`${path}?change`} />
        </Actions>
      ) : null}
      <Discard />
    </Page>
  );
}

/** Rows that D1 counts for an entry and for its email, with their indexes. */
const ROWS_PER_ENTRY = 4;
const ROWS_PER_EMAIL = 5;

/** D1's daily limit on the free plan. https://developers.cloudflare.com/d1/platform/pricing/ */
const FREE_ROWS_A_DAY = 100_000;

type ConsequencesProps = Omit<ImportReviewProps, "entries" | "timeZone"> & { added: number };

function Consequences({ found, added, plan, mustConfirm, sending }: ConsequencesProps) {
  const report = found.report as ImportReport;
  const welcome = found.settings?.welcome === true;
  const written = added * (welcome ? ROWS_PER_ENTRY + ROWS_PER_EMAIL : ROWS_PER_ENTRY);
  return (
    <ul>
      <li>
        People who are already on the waitlist or have unsubscribed are left unchanged. Addresses that bounced, reported
        spam or asked for no email are not added, nor are people who erased their entry themselves.
      </li>
      {report.unsubscribed > 0 ? <li>{leftText(report)}</li> : null}
      {report.undated > 0 ? (
        <li>{`The file does not say when ${counted(report.undated, "person", "people")} joined. They will have joined today, behind everyone else.`}</li>
      ) : null}
      {valuesLeftEmpty(report).map((text) => (
        <li key={text}>{text}</li>
      ))}
      <li>{welcome ? emailText(added - report.unsubscribed, sending) : "No welcome emails are sent."}</li>
      {mustConfirm ? (
        <li>
          They are not asked to confirm their address, because you record when and how they agreed. People whom the file
          marks as unconfirmed stay unconfirmed: they get no email, and are erased 30 days after they joined.
        </li>
      ) : null}
      {plan === "free" ? (
        <li>
          {`This writes about ${formatNumber(written)} rows to the database. The free Workers plan allows ${formatNumber(FREE_ROWS_A_DAY)} a day, sign-ups included`}
          {written > FREE_ROWS_A_DAY / 2
            ? ": import fewer people at a time or upgrade the plan; otherwise the site may not accept sign-ups until midnight UTC."
            : "."}
        </li>
      ) : null}
      {plan === "free" ? (
        <li>
          {`On the free Workers plan the site imports ${rowsAtOnce.free} rows a minute: this takes ${formatHours(report.rows / rowsAtOnce.free / 60)}. On the command line it takes a minute or so: `}
          <code>npm run owner -- import FILE --remote</code>
        </li>
      ) : null}
    </ul>
  );
}

/** How many get no email, and why. */
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
  const lead = `Welcome emails are sent to up to ${formatNumber(Math.max(0, emails))} people, at most ${formatNumber(perHour)} an hour (a quarter of MAIL_PER_HOUR), which takes ${formatHours(hours)}. People who sign up on the site do not wait for them.`;
  const expiry =
    hours > 24 * 28
      ? " The links in these emails work for 30 days from now: raise MAIL_PER_HOUR first, or some arrive with a link that has expired."
      : "";
  return lead + expiry + (hasSender ? "" : " No sender is configured (MAIL_FROM): they wait until it is.");
}

function Preview({ entries, timeZone }: Pick<ImportReviewProps, "entries" | "timeZone">) {
  if (entries.length === 0) return null;
  const time = (at: number | null) => (at === null ? null : formatTime(at, timeZone));
  return (
    <Section id="first-rows" title="The first people, as they will be stored">
      <Table
        className="cards"
        columns={[
          { name: "Address", kind: "words", cell: ({ email }) => email },
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
              return answer === null ? null : answerText(question, answer);
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
