import { describeSelection } from "#app/features/entries/describe-selection.ts";
import { serviceFormats, spreadsheetFormats } from "#app/features/entries/export-formats.ts";
import { firstPage, type ListState, withListState } from "#app/features/entries/list-state.ts";
import type { SavedView } from "#app/features/entries/views/saved-view.ts";
import { UseView } from "#app/features/entries/views/use-view.server.tsx";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { Choice, Field } from "#app/owner/ui/field.server.tsx";
import { counted, formatNumber } from "#app/owner/ui/labels.ts";
import { Page, Problems, Section } from "#app/owner/ui/page.server.tsx";

export interface ExportProps {
  state: ListState;
  /** The text that is searched for. */
  search: string | undefined;
  /** How many entries the list has, and how many of them may get email. */
  count: number;
  mayGetEmail: number;
  views: SavedView[];
  problems: string[];
}

export function exportView({ state, search, count, mayGetEmail, views, problems }: ExportProps) {
  const action = withListState("/owner/export.csv", firstPage(state));
  return (
    <Page
      title="Export"
      section="entries"
      back={{ href: withListState("/owner/entries", state), name: "Back to the list" }}
    >
      <Problems problems={problems} />
      <UseView action="/owner/export" views={views} />
      <p className="lead">{describe(state, search, count, mayGetEmail)}</p>
      <p>
        Those who may get email are active: they are subscribed, and have confirmed their address where they have to. Of
        them, people whose address bounced, who reported spam or who asked for no email are left out of the file.
      </p>
      <div className="export-columns">
        <Spreadsheet action={action} count={count} mayGetEmail={mayGetEmail} />
        <Services action={action} mayGetEmail={mayGetEmail} />
      </div>
    </Page>
  );
}

function describe(state: ListState, search: string | undefined, count: number, mayGetEmail: number): string {
  const parts = describeSelection(state.filter, search);
  const which = parts.length === 0 ? "the whole list" : `the list with these filters: ${parts.join("; ")}`;
  return `This exports ${which}. It has ${counted(count, "entry", "entries")}, of which ${formatNumber(mayGetEmail)} may get email.`;
}

function Spreadsheet({ action, count, mayGetEmail }: { action: string; count: number; mayGetEmail: number }) {
  const onlyOthers = mayGetEmail === 0 && count > 0;
  return (
    <Section id="spreadsheet" title="For a spreadsheet">
      <p>
        Every column, in a CSV file. Text that a spreadsheet could run as a formula is given an apostrophe in front.
        This site can import the file again.
      </p>
      <form className="form" method="post" action={action}>
        <Choice
          name="people"
          legend="People"
          options={{
            "may-get-email": `Only those who may get email (${formatNumber(mayGetEmail)})`,
            all: `Everyone, including people who unsubscribed, have yet to confirm or whose address bounced (${formatNumber(count)})`,
          }}
          value={onlyOthers ? "all" : "may-get-email"}
        />
        <Field name="format" id="separator" label="Separator" options={labelsOf(spreadsheetFormats)} />
        <Button label="Download for a spreadsheet" />
      </form>
    </Section>
  );
}

function Services({ action, mayGetEmail }: { action: string; mayGetEmail: number }) {
  return (
    <Section id="services" title="For an email service">
      <p>
        {`Only people who may get email (${formatNumber(mayGetEmail)}), in the columns that the service imports. Do not open the file in a spreadsheet first: it could run an address as a formula.`}
      </p>
      <form className="form" method="post" action={action}>
        <Choice
          name="format"
          legend="Service"
          options={labelsOf(serviceFormats)}
          value={Object.keys(serviceFormats)[0] ?? ""}
        />
        <Button label="Download for the service" />
      </form>
      <p className="none">Each service’s import guide:</p>
      <ul className="row">
        {Object.entries(serviceFormats).map(([name, { label, url }]) => (
          <li key={name}>
            <a className="quiet-link" href={url} rel="noreferrer">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function labelsOf(formats: Record<string, { label: string }>): Record<string, string> {
  return Object.fromEntries(Object.entries(formats).map(([name, { label }]) => [name, label]));
}
