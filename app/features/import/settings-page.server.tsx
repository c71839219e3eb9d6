import { Fragment } from "react";
import { checkRows } from "#app/features/import/file/check.server.ts";
import { fieldLabels, guessMapping } from "#app/features/import/file/fields.ts";
import type { CsvRow } from "#app/features/import/file/read-csv.server.ts";
import type { ImportSettings } from "#app/features/import/file/to-entry.server.ts";
import { discardImport, firstRows, type Import, saveCheck, stagedRows } from "#app/features/import/imports.server.ts";
import { type GivenSettings, readImportSettings } from "#app/features/import/read-settings.server.ts";
import { Button, ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { ConsentFields } from "#app/owner/ui/consent-fields.server.tsx";
import { unescapeFormulas } from "#app/owner/ui/csv.ts";
import { ChoiceField, Field, FieldGroup } from "#app/owner/ui/field.server.tsx";
import { counted } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Page, Problems } from "#app/owner/ui/page.server.tsx";
import type { EpochMillis } from "#app/server/time/units.ts";

export const SHOWN_ROWS = 5;

export async function check(c: OwnerContext, found: Import) {
  const { timeZone, now } = c.var.app;
  const checkedAt = now();
  const given = readImportSettings(c.var.form, { columns: found.columns.length, timeZone, now: checkedAt });
  if (given.errors.length > 0) return showSettings(c, found, given);
  return saveChecked(c, found, { words: found.settings?.words ?? {}, ...given.settings }, checkedAt);
}

/** Checks every row of the file with these settings. */
export async function saveChecked(c: OwnerContext, { id }: Import, settings: ImportSettings, checkedAt: EpochMillis) {
  const { db } = c.var.app;
  const checked = await checkRows(db, () => stagedRows(db, id), { settings, now: checkedAt });
  await saveCheck(db, id, { ...checked, now: checkedAt });
  return c.redirect(`/owner/import/${id}`, 303);
}

export async function discard(c: OwnerContext, { id }: Import) {
  if (await discardImport(c.var.app.db, id)) await c.var.record("discard-import", { importId: id });
  return c.redirect("/owner/import", 303);
}

export function defaultSettings(c: OwnerContext, columns: string[]): ImportSettings {
  const mapping = guessMapping(columns);
  const { timeZone } = c.var.app;
  return { mapping, consentDate: null, note: "", timeZone, monthFirst: null, welcome: false };
}

/** @param given settings that were refused */
export async function showSettings(c: OwnerContext, found: Import, given?: GivenSettings) {
  if (found.state !== "staged" && found.state !== "checked") return c.redirect(`/owner/import/${found.id}`, 303);
  const rows = (await firstRows(c.var.app.db, found.id)).slice(0, SHOWN_ROWS);
  const settings = given?.settings ?? found.settings ?? defaultSettings(c, found.columns);
  const errors = given?.errors ?? [];
  if (given !== undefined) c.status(422);
  const problemOf = (field: GivenSettings["errors"][number]["field"]) =>
    errors.find((error) => error.field === field)?.text;
  return c.render(
    <Page title="Choose columns" section="import" back={allImports}>
      <p className="lead">{`${found.file_name}: ${counted(found.rows, "row", "rows")}. No one has been added yet.`}</p>
      <Problems problems={errors.map(({ text }) => text)} />
      <form id="settings" className="form form-wide" method="post">
        <FieldGroup legend="What the columns hold">
          <div className="fields import-columns">
            {found.columns.map((column, index) => (
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
    </Page>,
  );
}

export const allImports = { href: "/owner/import", name: "All imports" };

export function Discard() {
  return <ButtonForm label="Discard the file" value="discard" />;
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

/** A word such as an address, which moves to the next line before it breaks; only one too long for a phone may break. */
export function Word({ children }: { children: string }) {
  return children.length > LONG_WORD ? children : <span className="word">{children}</span>;
}

/** Characters. */
const LONG_WORD = 40;
