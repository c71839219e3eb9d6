import { columnErrors, fieldNames } from "#app/features/import/file/fields.ts";
import { parseDate } from "#app/features/import/file/parse-date.ts";
import { wordQuestions } from "#app/features/import/file/questions.ts";
import { type ImportSettings, NOTHING, OTHERS, type Words } from "#app/features/import/file/to-entry.server.ts";
import type { Import } from "#app/features/import/imports.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { cleanConsentNote, consentNoteProblem } from "#app/waitlist/entries/consent-note.ts";

export interface GivenSettings {
  settings: ImportSettings;
  errors: { field: "columns" | "consent-date" | "note"; text: string }[];
}

/** How a form says that a file is to be read. @param timeZone the owner's */
export function readSettings(
  form: FormData,
  found: Import,
  { timeZone, now }: { timeZone: string; now: EpochMillis },
): GivenSettings {
  const text = (name: string) => fieldText(form, name);
  const mapping = found.columns.map((_, index) => fieldNames().find((name) => name === text(`c${index}`)) ?? null);
  const isSame = mapping.map((field, index) => found.settings?.mapping[index] === field);
  // Which words the others are depends on what other columns say.
  const kept = ([word]: [string, string]) => word !== OTHERS || isSame.every(Boolean);
  const words = Object.entries(readWords(form, found)).flatMap(([column, said]) =>
    isSame[Number(column)] ? [[column, Object.fromEntries(Object.entries(said).filter(kept))]] : [],
  );
  const settings: ImportSettings = {
    mapping,
    consentDate: text("consent-from") === "joined" ? "joined" : text("consent-date") || null,
    note: cleanConsentNote(text("note")),
    timeZone: timeZones(timeZone).find((zone) => zone === text("zone")) ?? timeZone,
    monthFirst: text("dates") === "" ? null : text("dates") === "month-first",
    welcome: text("welcome") === "yes",
    unsubscribe: text("opted-out") !== "keep",
    fill: text("fill") === "yes",
    words: Object.fromEntries(words),
  };
  return { settings, errors: settingsErrors(settings, found.columns, now) };
}

/** What the form says that words mean. */
function readWords(form: FormData, found: Import): Words {
  // They are numbered as the page that was answered numbered them.
  if (Number(fieldText(form, "checked")) !== found.checked_at) return found.settings?.words ?? {};
  const answered = wordQuestions(found).map(({ column, words, meanings }) => {
    const saysNothing = form.has(`nothing.${column}`);
    const said = words.map(({ word }, index) => [word, saysNothing ? NOTHING : fieldText(form, `w${column}.${index}`)]);
    return [
      column,
      Object.fromEntries(said.filter(([, meaning = ""]) => meaning !== "" && Object.hasOwn(meanings, meaning))),
    ];
  });
  return Object.fromEntries(answered);
}

/** The owner's time zone and that of many exports, then all others. */
export function timeZones(own: string): string[] {
  return [...new Set([own, "UTC", ...Intl.supportedValuesOf("timeZone")])];
}

/** What is missing or wrong, in sentences for the owner. */
export function settingsErrors(
  settings: ImportSettings,
  columns: readonly string[],
  now: EpochMillis,
): GivenSettings["errors"] {
  const note = consentNoteProblem(settings.note, "these people");
  const date = dateError(settings, now);
  return [
    ...columnErrors(settings.mapping, columns).map((text) => ({ field: "columns" as const, text })),
    ...(date === null ? [] : [{ field: "consent-date" as const, text: date }]),
    ...(note === null ? [] : [{ field: "note" as const, text: note }]),
  ];
}

function dateError({ consentDate, mapping, timeZone }: ImportSettings, now: EpochMillis): string | null {
  if (consentDate === null && mapping.includes("consent")) return null;
  if (consentDate === null) return "Say when these people agreed: choose a date, or a column that holds it.";
  if (consentDate === "joined" && mapping.includes("joined")) return null;
  if (consentDate === "joined") return "No column holds the day they joined. Choose one, or give a date of consent.";
  const time = parseDate(consentDate, { timeZone, monthFirst: false });
  if (time === null) return "The date of consent is not a date. Write it as in 2026-11-21.";
  return time > now ? "The date of consent is in the future." : null;
}
