import type { ReactNode } from "react";
import { type FieldName, fieldLabels } from "#app/owner/import/fields.ts";
import type { Import } from "#app/owner/import/imports.server.ts";
import type { CsvRow } from "#app/owner/import/read-csv.server.ts";
import type { GivenSettings } from "#app/owner/import/read-settings.server.ts";
import { type ImportSettings, MAX_CONSENT_NOTE_LENGTH } from "#app/owner/import/to-entry.server.ts";
import { unescapeFormulas } from "#app/owner/ui/csv.ts";
import type { OwnerView } from "#app/owner/ui/document.server.tsx";
import { formatNumber } from "#app/owner/ui/labels.ts";

interface ImportSettingsProps extends GivenSettings {
  found: Import;
  settings: ImportSettings;
  /** The first rows. */
  rows: CsvRow[];
}

/** How the file is to be read: what its columns hold, when and how its people agreed, and whether they get an email. */
export function importSettingsView({ found, settings, rows, errors }: ImportSettingsProps): OwnerView {
  return {
    title: "Choose columns",
    section: "import",
    body: (
      <main id="main" className="page owner">
        <h1>Choose columns</h1>
        <p className="lead import-file">
          {`${found.file_name}: ${formatNumber(found.rows)} ${found.rows === 1 ? "row" : "rows"}. No one is added yet.`}
        </p>
        {errors.length === 0 ? null : (
          <ul className="owner-error" role="alert">
            {errors.map(({ text }) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
        <form id="settings" className="owner-form import-settings" method="post">
          <Columns columns={found.columns} settings={settings} rows={rows} />
          <Consent settings={settings} errors={errors} />
          <Welcome settings={settings} />
          <button className="button" name="intent" value="check" type="submit">
            Check the file
          </button>
        </form>
        <Discard />
      </main>
    ),
  };
}

/** Deletes the file. */
export function Discard() {
  return (
    <form className="import-discard" method="post">
      <button className="button button-quiet" name="intent" value="discard" type="submit">
        Discard the file
      </button>
    </form>
  );
}

function Columns({ columns, settings, rows }: { columns: string[]; settings: ImportSettings; rows: CsvRow[] }) {
  return (
    <fieldset>
      <legend>What the columns hold</legend>
      <table className="owner-table import-columns">
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">First values</th>
            <th scope="col">Holds</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity, and may share a name
            <tr key={index}>
              <th scope="row" className="words" id={`column-${index}`}>
                {column || `Column ${index + 1}`}
              </th>
              <td className="words">{firstValues(rows, index)}</td>
              <td>
                <select
                  name={`c${index}`}
                  aria-labelledby={`column-${index}`}
                  defaultValue={settings.mapping[index] ?? ""}
                >
                  <option value="">Leave out</option>
                  {(Object.entries(fieldLabels) as [FieldName, string][]).map(([name, label]) => (
                    <option key={name} value={name}>
                      {label}
                    </option>
                  ))}
                </select>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="import-choice">
        <label htmlFor="dates">Dates such as 03/04/2026 are</label>
        <select id="dates" name="dates" defaultValue={settings.monthFirst ? "month-first" : "day-first"}>
          <option value="day-first">3 April (day first)</option>
          <option value="month-first">4 March (month first)</option>
        </select>
      </p>
    </fieldset>
  );
}

function firstValues(rows: CsvRow[], index: number): string {
  const values = rows.flatMap(([, cells]) =>
    typeof cells === "string" ? [] : [unescapeFormulas(cells[index] ?? "").trim()],
  );
  const shown = values.filter((value) => value !== "").slice(0, 3);
  return shown.length === 0 ? "–" : shown.map((value) => shorten(value)).join(", ");
}

function shorten(text: string): string {
  const letters = Array.from(text);
  return letters.length > 60 ? `${letters.slice(0, 60).join("")}…` : text;
}

function Consent({ settings, errors }: Pick<ImportSettingsProps, "settings" | "errors">) {
  const described = (field: GivenSettings["errors"][number]["field"]) => {
    const found = errors.find((error) => error.field === field);
    return found === undefined ? {} : { "aria-invalid": true as const };
  };
  return (
    <fieldset>
      <legend>Their consent</legend>
      <p className="import-hint" id="consent-hint">
        You must be able to prove that each person agreed. The record is stored with each entry, and the person can see
        it.
      </p>
      <Field id="consent-date" label="Date of consent, for rows without a date">
        <input
          id="consent-date"
          name="consent-date"
          type="date"
          defaultValue={settings.consentDate ?? ""}
          aria-describedby="consent-hint"
          {...described("consent-date")}
        />
      </Field>
      <Field id="note" label="How they agreed">
        <input
          id="note"
          name="note"
          type="text"
          required
          maxLength={MAX_CONSENT_NOTE_LENGTH}
          autoComplete="off"
          defaultValue={settings.note}
          aria-describedby="note-hint"
          {...described("note")}
        />
        <p className="import-hint" id="note-hint">
          For example: Ticked the box on the paper list at the autumn fair. It is stored with people whose row does not
          say how they agreed.
        </p>
      </Field>
    </fieldset>
  );
}

function Field({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      {children}
    </div>
  );
}

function Welcome({ settings }: { settings: ImportSettings }) {
  return (
    <fieldset>
      <legend>Welcome email</legend>
      <div className="import-radios">
        <label>
          <input type="radio" name="welcome" value="no" defaultChecked={!settings.welcome} /> Send none
        </label>
        <label>
          <input type="radio" name="welcome" value="yes" defaultChecked={settings.welcome} /> Send it to everyone who is
          added
        </label>
      </div>
    </fieldset>
  );
}
