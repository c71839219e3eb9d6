import {
  exportDetails,
  isExportFormat,
  isServiceFormat,
  serviceFormats,
  spreadsheetFormats,
  streamExport,
} from "#app/features/entries/export.server.ts";
import { readSelection } from "#app/features/entries/list-page.server.tsx";
import { backToList, describeSelection, firstPage, withListState } from "#app/features/entries/list-state.ts";
import { viewHref } from "#app/features/entries/views/saved-view.ts";
import { findView, listViews } from "#app/features/entries/views/saved-views.server.ts";
import { UseView } from "#app/features/entries/views/use-view.server.tsx";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { downloadCsv } from "#app/owner/ui/download-csv.ts";
import { ChoiceField, Field } from "#app/owner/ui/field.server.tsx";
import { counted, formatNumber } from "#app/owner/ui/labels.ts";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { Page, Problems, Section } from "#app/owner/ui/page.server.tsx";
import { localDate } from "#app/server/time/time-zone-days.ts";
import { countEntries } from "#app/waitlist/filter/list-entries.server.ts";

export async function showExport(c: OwnerContext, problems: string[] = []) {
  const { db } = c.var.app;
  const view = await findView(db, parseId(c.req.query("view")) ?? 0);
  if (view !== null) return c.redirect(viewHref(view, "/owner/export"), 302);
  const { state, selection, problems: ignored } = readSelection(c);
  const [count, mayGetEmail, views] = await Promise.all([
    countEntries(db, selection),
    countEntries(db, { ...selection, mayGetEmail: true }),
    listViews(db),
  ]);
  if (problems.length > 0) c.status(400);
  const action = withListState("/owner/export.csv", firstPage(state));
  const filters = describeSelection(state.filter, selection.search);
  const which = filters.length === 0 ? "the whole list" : `the list with these filters: ${filters.join("; ")}`;
  return c.render(
    <Page title="Export" section="entries" back={backToList(state)}>
      <Problems problems={[...problems, ...ignored]} />
      <UseView action="/owner/export" views={views} />
      <p className="lead">
        {`This exports ${which}. It has ${counted(count, "entry", "entries")}, of which ${formatNumber(mayGetEmail)} may get email.`}
      </p>
      <p>
        Those who may get email are active: they are subscribed, and have confirmed their address where they have to. Of
        them, people whose address bounced, who reported spam or who asked for no email are left out of the file.
      </p>
      <div className="export-columns">
        <Spreadsheet action={action} count={count} mayGetEmail={mayGetEmail} />
        <Services action={action} mayGetEmail={mayGetEmail} />
      </div>
    </Page>,
  );
}

/** A POST, so that neither a link nor a prefetch downloads people's data. */
export async function downloadExport(c: OwnerContext) {
  const { now, timeZone } = c.var.app;
  const { selection, problems } = readSelection(c);
  // With a filter left out, the file would have more people than the owner asked for.
  if (problems.length > 0) return showExport(c, ["Nothing was exported."]);
  const { form } = c.var;
  const format = form.get("format");
  if (!isExportFormat(format)) return showExport(c, ["Choose a format."]);
  const exported = { ...selection, mayGetEmail: isServiceFormat(format) || form.get("people") !== "all" };
  // Recorded at the start, because an interrupted export has already revealed entries.
  await c.var.record("export", exportDetails(exported, format));
  const name = `waitlist-${localDate(now(), timeZone)}${format === "csv" ? "" : `-${format}`}.csv`;
  return downloadCsv(c, name, streamExport(c.var.app, exported, format));
}

/** The address of a download leads to the page that offers it. */
export function redirectToExport(c: OwnerContext) {
  return c.redirect(`/owner/export${new URL(c.req.url).search}`, 302);
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
        <ChoiceField
          name="people"
          legend="People"
          options={{
            "may-get-email": `Only those who may get email (${formatNumber(mayGetEmail)})`,
            all: `Everyone, including people who unsubscribed, have yet to confirm or whose address bounced (${formatNumber(count)})`,
          }}
          value={onlyOthers ? "all" : "may-get-email"}
        />
        <Field name="format" id="separator" label="Separator" options={labelsOf(spreadsheetFormats())} />
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
        <ChoiceField
          name="format"
          legend="Service"
          options={labelsOf(serviceFormats())}
          value={Object.keys(serviceFormats())[0] ?? ""}
        />
        <Button label="Download for the service" />
      </form>
      <p className="none">Each service’s import guide:</p>
      <ul className="bare-list row">
        {Object.entries(serviceFormats()).map(([name, { label, url }]) => (
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
