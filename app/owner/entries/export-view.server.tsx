import { serviceFormats, spreadsheetFormats } from "#app/owner/entries/export-formats.ts";
import { firstPage, type ListState, withListState } from "#app/owner/entries/list-state.ts";
import { BackLink } from "#app/owner/ui/back-link.server.tsx";
import type { OwnerView } from "#app/owner/ui/document.server.tsx";
import { activeFilters } from "#app/owner/ui/filter-labels.ts";
import { formatNumber } from "#app/owner/ui/labels.ts";
import { Problems } from "#app/owner/ui/problems.server.tsx";

export interface ExportProps {
  state: ListState;
  /** The text that is searched for. */
  search: string | undefined;
  /** How many entries the list has, and how many of them may get email. */
  count: number;
  mayGetEmail: number;
  problems: string[];
}

export function exportView({ state, search, count, mayGetEmail, problems }: ExportProps): OwnerView {
  const action = withListState("/owner/export.csv", firstPage(state));
  return {
    title: "Export",
    section: "entries",
    body: (
      <main id="main" className="page owner owner-export">
        <BackLink href={withListState("/owner/entries", state)}>Back to the list</BackLink>
        <h1>Export</h1>
        <Problems problems={problems} />
        <p className="lead">{describe(state, search, count, mayGetEmail)}</p>
        <p>
          Those who may get email are active and have confirmed their address where they have to. Of them, people whose
          address bounced, who reported spam or who asked for no email are left out of the file.
        </p>
        <div className="owner-pair">
          <Spreadsheet action={action} count={count} mayGetEmail={mayGetEmail} />
          <Services action={action} mayGetEmail={mayGetEmail} />
        </div>
      </main>
    ),
  };
}

function describe(state: ListState, search: string | undefined, count: number, mayGetEmail: number): string {
  const filters = activeFilters(state.filter).map(({ text }) => text);
  const parts = search === undefined ? filters : [`Address contains: ${search}`, ...filters];
  const which = parts.length === 0 ? "the whole list" : `the list with these filters: ${parts.join("; ")}`;
  return `This exports ${which}. It has ${people(count)}, of which ${formatNumber(mayGetEmail)} may get email.`;
}

function Spreadsheet({ action, count, mayGetEmail }: { action: string; count: number; mayGetEmail: number }) {
  const onlyOthers = mayGetEmail === 0 && count > 0;
  return (
    <section aria-labelledby="spreadsheet">
      <h2 id="spreadsheet">For a spreadsheet</h2>
      <p>
        Every column, in a CSV file. Text that a spreadsheet could run as a formula is given an apostrophe in front.
        This site can import the file again.
      </p>
      <form className="owner-form" method="post" action={action}>
        <fieldset>
          <legend>People</legend>
          <label>
            <input type="radio" name="people" value="may-get-email" defaultChecked={!onlyOthers} />
            {`Only those who may get email (${formatNumber(mayGetEmail)})`}
          </label>
          <label>
            <input type="radio" name="people" value="all" defaultChecked={onlyOthers} />
            {`Everyone, including people who unsubscribed or have yet to confirm (${formatNumber(count)})`}
          </label>
        </fieldset>
        <div>
          <label htmlFor="separator">Separator</label>
          <select id="separator" name="format">
            {Object.entries(spreadsheetFormats).map(([name, { label }]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <button className="button" type="submit">
          Download for a spreadsheet
        </button>
      </form>
    </section>
  );
}

function Services({ action, mayGetEmail }: { action: string; mayGetEmail: number }) {
  return (
    <section aria-labelledby="services">
      <h2 id="services">For an email service</h2>
      <p>
        {`Only people who may get email (${formatNumber(mayGetEmail)}), in the columns that the service imports. Do not open the file in a spreadsheet first: it could run an address as a formula.`}
      </p>
      <form className="owner-form" method="post" action={action}>
        <fieldset>
          <legend>Service</legend>
          {Object.entries(serviceFormats).map(([name, { label }], index) => (
            <label key={name}>
              <input type="radio" name="format" value={name} defaultChecked={index === 0} />
              {label}
            </label>
          ))}
        </fieldset>
        <button className="button" type="submit">
          Download for the service
        </button>
      </form>
      <p className="owner-none">Each service’s import guide:</p>
      <ul className="owner-services">
        {Object.entries(serviceFormats).map(([name, { label, url }]) => (
          <li key={name}>
            <a className="quiet-link" href={url} rel="noreferrer">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function people(count: number): string {
  return count === 1 ? "1 entry" : `${formatNumber(count)} entries`;
}
