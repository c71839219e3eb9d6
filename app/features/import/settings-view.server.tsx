import { Fragment } from "react";
import { fieldLabels } from "#app/features/import/file/fields.ts";
import type { CsvRow } from "#app/features/import/file/read-csv.server.ts";
import type { ImportSettings } from "#app/features/import/file/to-entry.server.ts";
import type { Import } from "#app/features/import/imports.server.ts";
import type { GivenSettings } from "#app/features/import/read-settings.server.ts";
import { Word } from "#app/features/import/word.server.tsx";
import { Button, ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { ConsentFields } from "#app/owner/ui/consent-fields.server.tsx";
import { unescapeFormulas } from "#app/owner/ui/csv.ts";
import { ChoiceField, Field, FieldGroup } from "#app/owner/ui/field.server.tsx";
import { counted } from "#app/owner/ui/labels.ts";
import { Page, Problems } from "#app/owner/ui/page.server.tsx";

interface ImportSettingsProps extends GivenSettings {
  found: Import;
  settings: ImportSettings;
  /** The first rows. */
  rows: CsvRow[];
}

export function importSettingsView({ found, settings, rows, errors }: ImportSettingsProps) {
  const problemOf = (field: GivenSettings["errors"][number]["field"]) =>
    errors.find((error) => error.field === field)?.text;
  return (
    <Page title="Choose columns" section="import" back={allImports}>
      <p className="lead">{`${found.file_name}: ${counted(found.rows, "row", "rows")}. No one has been added yet.`}</p>
      <Problems problems={errors.map(({ text }) => text)} />
      <form id="settings" className="form form-wide" method="post">
        <FieldGroup legend="What the columns hold">
          <Columns columns={found.columns} settings={settings} rows={rows} />
          <Field
            name="dates"
            label="Dates such as 03/04/2026 are"
            options={{
              "": "Whichever the file’s other dates show",
              "day-first": "3 April (day first)",
              "month-first": "4 March (month first)",
            }}
            value={settings.monthFirst === null ? "" : settings.monthFirst ? "month-first" : "day-first"}
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
            value={settings.consentDate === "joined" ? "joined" : "date"}
          />
          <ConsentFields
            date={settings.consentDate === "joined" ? "" : (settings.consentDate ?? "")}
            note={settings.note}
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
            value={settings.welcome ? "yes" : "no"}
          />
        </FieldGroup>
        <Button label="Check the file" value="check" />
      </form>
      <Discard />
    </Page>
  );
}

export const allImports = { href: "/owner/import", name: "All imports" };

export function Discard() {
  return <ButtonForm label="Discard the file" value="discard" />;
}

function Columns({ columns, settings, rows }: Pick<ImportSettingsProps, "settings" | "rows"> & { columns: string[] }) {
  return (
    <div className="fields import-columns">
      {columns.map((column, index) => (
        <Field
          // biome-ignore lint/suspicious/noArrayIndexKey: columns can have the same name
          key={index}
          name={`c${index}`}
          label={column || `Column ${index + 1}`}
          hint={<FirstValues values={firstValues(rows, index)} />}
          options={{ "": "Leave out", ...fieldLabels }}
          value={settings.mapping[index] ?? ""}
        />
      ))}
    </div>
  );
}

function FirstValues({ values }: { values: string[] }) {
  if (values.length === 0) return "No values in the first rows";
  return values.map((value, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: values can be the same
    <Fragment key={index}>
      <Word>{index < values.length - 1 ? `${value},` : value}</Word>{" "}
    </Fragment>
  ));
}

function firstValues(rows: CsvRow[], index: number): string[] {
  const values = rows.flatMap(([, cells]) =>
    typeof cells === "string" ? [] : [unescapeFormulas(cells[index] ?? "").trim()],
  );
  return values
    .filter((value) => value !== "")
    .slice(0, 3)
    .map(shorten);
}

function shorten(text: string): string {
  const letters = Array.from(text);
  return letters.length > 60 ? `${letters.slice(0, 60).join("")}…` : text;
}
