import { importedPerHour } from "#app/email/quotas.server.ts";
import type { ImportReport } from "#app/owner/import/check.server.ts";
import type { Import } from "#app/owner/import/imports.server.ts";
import { ImportProblems } from "#app/owner/import/problems-view.server.tsx";
import { Discard } from "#app/owner/import/settings-view.server.tsx";
import type { OwnerView } from "#app/owner/ui/document.server.tsx";
import { formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Tile } from "#app/owner/ui/tile.server.tsx";
import type { WorkersPlan } from "#app/server/plan-limits.ts";
import type { ImportedEntry } from "#app/waitlist/add-imported.server.ts";

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
export function importReviewView({ found, entries, timeZone, ...context }: ImportReviewProps): OwnerView {
  const report = found.report as ImportReport;
  const added = report.ready - report.listed;
  return {
    title: "Check the import",
    section: "import",
    body: (
      <main id="main" className="page owner">
        <h1>Check the import</h1>
        <p className="lead import-file">{`${found.file_name}: ${rows(report.rows)}. No one is added yet.`}</p>
        <dl className="tiles">
          <Tile name="Will be added" value={added} main />
          <Tile name="Already on the waitlist, unchanged" value={report.listed} />
          <Tile name="Rows left out" value={report.leftOut} />
        </dl>
        {report.ready === 0 ? (
          <p className="owner-error">There is no one to import. See the problems below.</p>
        ) : (
          <>
            <Consequences found={found} added={added} {...context} />
            <form className="import-confirm" method="post">
              <input type="hidden" name="checked" value={String(found.checked_at)} />
              <button className="button" name="intent" value="confirm" type="submit">
                {`Import ${formatNumber(report.ready)} ${report.ready === 1 ? "person" : "people"}`}
              </button>
              <a className="button button-quiet" href={`/owner/import/${found.id}?change`}>
                Change columns or consent
              </a>
            </form>
          </>
        )}
        <Preview entries={entries} timeZone={timeZone} />
        <ImportProblems report={report} download={`/owner/import/${found.id}/problems.csv`} />
        {report.ready === 0 ? (
          <p>
            <a className="button" href={`/owner/import/${found.id}?change`}>
              Change columns or consent
            </a>
          </p>
        ) : null}
        <Discard />
      </main>
    ),
  };
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
    <ul className="import-consequences">
      <li>
        People who are already on the waitlist or have unsubscribed are left unchanged. Addresses that bounced, reported
        spam or asked for no email are not added.
      </li>
      {report.unsubscribed > 0 ? (
        <li>{`${formatNumber(report.unsubscribed)} ${report.unsubscribed === 1 ? "person is" : "people are"} marked as unsubscribed in the file, and will get no email.`}</li>
      ) : null}
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
    </ul>
  );
}

function emailText(emails: number, { emailsPerHour, hasSender }: ImportReviewProps["sending"]): string {
  const perHour = importedPerHour(emailsPerHour);
  const hours = Math.max(0, emails) / perHour;
  const lead = `Welcome emails are sent to up to ${formatNumber(Math.max(0, emails))} people, at most ${formatNumber(perHour)} an hour (a quarter of MAIL_PER_HOUR), which takes ${duration(hours)}. People who sign up on the site do not wait for them.`;
  const expiry =
    hours > 24 * 28
      ? " The links in these emails work for 30 days from now: raise MAIL_PER_HOUR first, or some arrive with a link that has expired."
      : "";
  return lead + expiry + (hasSender ? "" : " No sender is configured (MAIL_FROM): they wait until it is.");
}

function duration(hours: number): string {
  if (hours <= 1) return "up to an hour";
  return hours < 48 ? `about ${Math.ceil(hours)} hours` : `about ${Math.ceil(hours / 24)} days`;
}

function rows(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? "row" : "rows"}`;
}

function Preview({ entries, timeZone }: Pick<ImportReviewProps, "entries" | "timeZone">) {
  if (entries.length === 0) return null;
  return (
    <section aria-labelledby="first-rows">
      <h2 id="first-rows">The first people, as they will be stored</h2>
      <table className="owner-table entry-table">
        <thead>
          <tr>
            <th scope="col">Address</th>
            <th scope="col">Joined</th>
            <th scope="col">Agreed</th>
            <th scope="col">Source and role</th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.email}>
              <th scope="row" className="words">
                {entry.email}
              </th>
              <td data-label="Joined">{formatTime(entry.created_at, timeZone)}</td>
              <td className="words" data-label="Agreed">
                {[entry.consent_at === null ? null : formatTime(entry.consent_at, timeZone), entry.consent_note]
                  .filter((part) => part !== null)
                  .join(": ")}
              </td>
              <td className="words" data-label="Source">
                {[entry.source, entry.role].filter((part) => part !== null).join(", ")}
              </td>
              <td data-label="Status">{entry.status === "active" ? "Active" : "Unsubscribed"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
