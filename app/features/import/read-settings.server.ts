import { type FieldName, fieldLabels, fieldNames, type Mapping } from "#app/features/import/file/fields.ts";
import { parseDate } from "#app/features/import/file/parse-date.ts";
import type { ImportSettings } from "#app/features/import/file/to-entry.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { cleanConsentNote, consentNoteProblem } from "#app/waitlist/entries/consent-note.ts";

export interface GivenSettings {
  settings: ImportSettings;
  errors: { field: "columns" | "consent-date" | "note"; text: string }[];
}

interface Context {
  /** How many columns the file has. */
  columns: number;
  timeZone: string;
  now: EpochMillis;
}

export function readImportSettings(form: FormData, { columns, timeZone, now }: Context): GivenSettings {
  const text = (name: string) => fieldText(form, name);
  const settings: ImportSettings = {
    mapping: Array.from(
      { length: columns },
      (_, index) => fieldNames.find((name) => name === text(`c${index}`)) ?? null,
    ),
    consentDate: text("consent-from") === "joined" ? "joined" : text("consent-date") || null,
    note: cleanConsentNote(text("note")),
    timeZone,
    monthFirst: readOrder(text("dates")),
    welcome: text("welcome") === "yes",
  };
  return { settings, errors: settingsErrors(settings, now) };
}

/** Whether the month comes first; null if the file is to show it. */
export function readOrder(text: string): boolean | null {
  return text === "month-first" ? true : text === "day-first" ? false : null;
}

export function settingsErrors(settings: ImportSettings, now: EpochMillis): GivenSettings["errors"] {
  const about = (field: GivenSettings["errors"][number]["field"], ...texts: (string | null)[]) =>
    texts.flatMap((text) => (text === null ? [] : [{ field, text }]));
  return [
    ...about("columns", ...columnErrors(settings.mapping)),
    ...about("consent-date", dateError(settings, now)),
    ...about("note", consentNoteProblem(settings.note, "these people")),
  ];
}

function columnErrors(mapping: Mapping): string[] {
  const used = mapping.filter((field) => field !== null);
  const twice = new Set(used.filter((field, index) => used.indexOf(field) !== index));
  return [
    ...(used.includes("email") ? [] : ["No column holds the email addresses. Choose one."]),
    ...Array.from(twice, (field: FieldName) => `Two columns are “${fieldLabels[field]}”. Choose one of them.`),
  ];
}

function dateError({ consentDate, mapping, timeZone }: ImportSettings, now: EpochMillis): string | null {
  if (consentDate === null) {
    const hasDates = mapping.includes("consent");
    return hasDates ? null : "Say when these people agreed: choose a date, or a column that holds it.";
  }
  if (consentDate === "joined") {
    const hasDates = mapping.includes("joined");
    return hasDates ? null : "No column holds the day they joined. Choose one, or give a date of consent.";
  }
  const time = parseDate(consentDate, { timeZone, monthFirst: false });
  if (time === null) return "The date of consent is not a date. Write it as in 2026-11-21.";
  return time > now ? "The date of consent is in the future." : null;
}
