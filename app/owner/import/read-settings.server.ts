import { type FieldName, fieldLabels, fieldNames, type Mapping } from "#app/owner/import/fields.ts";
import { parseDate } from "#app/owner/import/parse-date.ts";
import { type ImportSettings, MAX_NOTE } from "#app/owner/import/to-entry.server.ts";

/** Settings as the owner typed them, with what is missing or wrong. */
export interface GivenSettings {
  settings: ImportSettings;
  /** Sentences, each with the form field that it is about. */
  errors: { field: "columns" | "consent-date" | "note"; text: string }[];
}

interface Context {
  /** How many columns the file has. */
  columns: number;
  timeZone: string;
  /** Milliseconds since 1970. */
  now: number;
}

/** Reads the form that says how a file is to be read. */
export function readSettings(form: FormData, { columns, timeZone, now }: Context): GivenSettings {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
  const settings: ImportSettings = {
    mapping: Array.from(
      { length: columns },
      (_, index) => fieldNames.find((name) => name === text(`c${index}`)) ?? null,
    ),
    consentDate: text("consent-date") || null,
    note: text("note").replace(/\p{Cc}+/gu, " "),
    monthFirst: text("dates") === "month-first",
    welcome: text("welcome") === "yes",
  };
  return { settings, errors: settingsErrors(settings, { timeZone, now }) };
}

/** What is missing or wrong, before any row is read. */
export function settingsErrors(
  { mapping, consentDate, note }: ImportSettings,
  { timeZone, now }: Omit<Context, "columns">,
): GivenSettings["errors"] {
  return [
    ...columnErrors(mapping).map((text) => ({ field: "columns" as const, text })),
    ...dateErrors(consentDate, mapping, timeZone, now).map((text) => ({ field: "consent-date" as const, text })),
    ...noteErrors(note).map((text) => ({ field: "note" as const, text })),
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

function dateErrors(date: string | null, mapping: Mapping, timeZone: string, now: number): string[] {
  if (date === null) {
    return mapping.includes("consent")
      ? []
      : ["Say when these people agreed: choose a date, or a column that holds it."];
  }
  const time = parseDate(date, { timeZone, monthFirst: false });
  if (time === null) return ["The date of consent is not a date. Write it as in 2026-11-21."];
  return time > now ? ["The date of consent is in the future."] : [];
}

function noteErrors(note: string): string[] {
  if (note === "") return ["Say how these people agreed, such as “Ticked the box on the list at the autumn fair”."];
  return note.length > MAX_NOTE ? [`The note on how they agreed is longer than ${MAX_NOTE} characters.`] : [];
}
