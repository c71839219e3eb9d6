import * as v from "valibot";
import type { FieldName, Mapping } from "#app/owner/import/fields.ts";
import { type DateFormat, parseDate } from "#app/owner/import/parse-date.ts";
import type { Problem } from "#app/owner/import/problems.ts";
import type { CsvRow } from "#app/owner/import/read-csv.server.ts";
import { unescapeFormulas } from "#app/owner/ui/csv.ts";
import { monthsBefore } from "#app/server/calendar.ts";
import type { Answers, EntryStatus, UnsubscribeReason } from "#app/server/db/schema/entries.server.ts";
import type { Confirmation } from "#app/server/db/schema/entry-filter.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { type Question, questions } from "#app/site.ts";
import type { ImportedEntry } from "#app/waitlist/add-imported.server.ts";
import { CONFIRM_PERIOD } from "#app/waitlist/confirmation.ts";
import { findWording } from "#app/waitlist/consent-wording.ts";
import { optionalColumnNames, parseSignUp } from "#app/waitlist/entry-fields.server.ts";
import { parseNote } from "#app/waitlist/note.ts";
import { answerField, EARLIER_ANSWERS, MAX_ANSWER_LENGTH } from "#app/waitlist/questions/answers.ts";
import { parseAnswer } from "#app/waitlist/questions/questions.server.ts";
import { WAITLIST_RETENTION_MONTHS } from "#app/waitlist/retention.ts";
import { IMPORT_SOURCE } from "#app/waitlist/sources.ts";

/** What the owner chose for a file. */
export interface ImportSettings {
  mapping: Mapping;
  /** `YYYY-MM-DD`, for rows without a date of consent; null if every row has one. */
  consentDate: string | null;
  /** How consent was given, for rows that do not say it. */
  note: string;
  /** Of dates without one. */
  timeZone: string;
  /** Whether `03/04/2026` is in March. */
  monthFirst: boolean;
  /** Whether active people are sent the welcome email. */
  welcome: boolean;
}

export interface RowContext {
  settings: ImportSettings;
  /** Milliseconds since 1970: when the file was checked, so that a later step finds the same. */
  now: number;
}

/** Characters. */
export const MAX_CONSENT_NOTE_LENGTH = 300;

const statuses: Record<string, EntryStatus> = {
  active: "active",
  subscribed: "active",
  unsubscribed: "unsubscribed",
};

const reasons: Record<string, UnsubscribeReason> = {
  "own-choice": "own-choice",
  complaint: "complaint",
  owner: "owner",
};

const confirmations: Record<string, Confirmation> = {
  "not-asked": "not-asked",
  unconfirmed: "unconfirmed",
  confirmed: "confirmed",
};

const booleans: Record<string, boolean> = { true: true, yes: true, "1": true, false: false, no: false, "0": false };

/** A note on how people agreed as it is stored: one line. */
export function cleanConsentNote(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .toWellFormed();
}

/** The entry that a row becomes, or everything that is wrong with it. Nothing in a cell is ever executed. */
export function toEntry(
  [line, cells]: CsvRow,
  { settings, now }: RowContext,
): { entry: ImportedEntry; problems: null } | { entry: null; problems: Problem[] } {
  if (typeof cells === "string") return { entry: null, problems: [{ line, code: cells }] };
  const problems: Problem[] = [];
  const format: DateFormat = settings;

  const report = (code: Problem["code"], field?: FieldName) =>
    void problems.push(field === undefined ? { line, code } : { line, code, field });
  const cell = (field: FieldName) => {
    const column = settings.mapping.indexOf(field);
    return column === -1 ? "" : unescapeFormulas(cells[column] ?? "").trim();
  };
  const known = <Value>(field: FieldName, values: Record<string, Value>): Value | null => {
    const text = cell(field).toLowerCase();
    if (text === "") return null;
    if (Object.hasOwn(values, text)) return values[text] ?? null;
    report("unknown-value", field);
    return null;
  };
  const time = (field: FieldName): number | null => {
    const text = cell(field);
    if (text === "") return null;
    const parsed = parseDate(text, format);
    if (parsed === null) report("invalid-date", field);
    else if (parsed > now) report("future-date", field);
    return parsed;
  };

  const email = normaliseEmail(cell("email"));
  if (email === null) report(cell("email") === "" ? "no-address" : "invalid-address");
  const joined = time("joined");
  // The next run of the cron job would erase it.
  if (joined !== null && joined < monthsBefore(now, WAITLIST_RETENTION_MONTHS)) report("too-old", "joined");
  const created = joined ?? now;

  const unsubscribed = time("unsubscribed");
  const status = known("status", statuses) ?? (unsubscribed === null ? "active" : "unsubscribed");
  const consent = time("consent") ?? (settings.consentDate === null ? null : parseDate(settings.consentDate, format));
  if (consent === null && status === "active" && cell("consent") === "") report("no-consent-date");
  const version = cell("consent_version") || null;
  if (version !== null && findWording(version) === null) report("unknown-value", "consent_version");

  const consentNote = cleanConsentNote(cell("consent_note")) || null;
  if ((consentNote?.length ?? 0) > MAX_CONSENT_NOTE_LENGTH) report("too-long", "consent_note");
  const ownerNote = parseNote(cell("owner_note"));
  if (ownerNote.problem !== undefined) report("too-long", "owner_note");
  const answers = readEarlierAnswers(cell(EARLIER_ANSWERS));
  if (answers === null) report("unknown-value", EARLIER_ANSWERS);
  for (const question of questions) {
    const field = answerField(question);
    const { answer, problem } = parseAnswer(question, keyOf(question, cell(field)));
    if (problem !== undefined) report(problem === "answer-too-long" ? "too-long" : "unknown-value", field);
    else if (answer !== null && answers !== null) answers[question.key] = answer;
  }
  const confirmed = time("confirmed");
  const confirmation = known("confirmation", confirmations) ?? (confirmed === null ? "not-asked" : "confirmed");
  const entry: Omit<ImportedEntry, "email"> = {
    source: sourceOf(cell("source")),
    status,
    early_adopter: known("early_adopter", booleans) ?? true,
    metadata: { signup_platform: "import", signup_date: new Date(created).toISOString() },
    ...parseSignUp(Object.fromEntries(optionalColumnNames.map((name) => [name, cell(name)]))).columns,
    answers: answers === null || Object.keys(answers).length === 0 ? null : answers,
    created_at: created,
    unsubscribed_at: status === "unsubscribed" ? (unsubscribed ?? now) : null,
    unsubscribe_reason: status === "unsubscribed" ? known("unsubscribe_reason", reasons) : null,
    consent_version: version,
    consent_at: consent,
    // A wording of our own form needs no further record of how consent was given.
    consent_note: consentNote ?? (version === null ? settings.note : null),
    owner_note: ownerNote.note?.toWellFormed() ?? null,
    confirm_by: confirmation === "unconfirmed" ? created + CONFIRM_PERIOD : null,
    invited_at: time("invited"),
    welcomed_at: null,
    confirmed_at: confirmation === "confirmed" ? (confirmed ?? consent ?? created) : null,
    disposable: known("disposable", booleans),
  };
  if (email === null || problems.length > 0) return { entry: null, problems };
  return { entry: { ...entry, email }, problems: null };
}

/** The key of an answer by its key or its text, in any case; other texts as they are. */
function keyOf({ answers }: Question, text: string): string {
  const wanted = text.toLowerCase();
  const found = Object.entries(answers ?? {}).find((names) => names.some((name) => name.toLowerCase() === wanted));
  return found?.[0] ?? text;
}

/** Answers that an export of this site has as JSON; null if they are malformed. */
function readEarlierAnswers(text: string): Answers | null {
  if (text === "") return {};
  try {
    return v.parse(earlierAnswersSchema, JSON.parse(text));
  } catch {
    return null;
  }
}

const earlierAnswersSchema = v.record(
  v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,31}$/)),
  v.pipe(v.string(), v.maxLength(MAX_ANSWER_LENGTH)),
);

/** A source in the form that sources have: `Autumn Fair` becomes `autumn_fair`. */
function sourceOf(text: string): string {
  const source = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 64);
  if (/^[a-z0-9_]{1,64}$/.test(text)) return text;
  return source === "" ? IMPORT_SOURCE : source;
}
