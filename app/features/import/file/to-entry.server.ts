import type { ImportedEntry } from "#app/features/import/add-imported.server.ts";
import { answerKey, readEarlierAnswers } from "#app/features/import/file/answers.server.ts";
import type { FieldName, Mapping } from "#app/features/import/file/fields.ts";
import { type DateFormat, orderOf, parseDate } from "#app/features/import/file/parse-date.ts";
import type { RowProblem } from "#app/features/import/file/problems.ts";
import type { CsvRow } from "#app/features/import/file/read-csv.server.ts";
import { type FileStatus, fileStatuses, fileStatusOf, storedAs, strictest } from "#app/features/import/file-status.ts";
import { unescapeFormulas } from "#app/owner/ui/csv.ts";
import type { UnsubscribeReason } from "#app/server/db/schema/entries.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { monthsBefore } from "#app/server/time/calendar.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { questions } from "#app/site.ts";
import { CONFIRM_PERIOD, type Confirmation } from "#app/waitlist/confirmation/confirmation.ts";
import { cleanConsentNote, MAX_CONSENT_NOTE_LENGTH } from "#app/waitlist/entries/consent-note.ts";
import { optionalColumnNames } from "#app/waitlist/entries/entry-columns.server.ts";
import { parseNote } from "#app/waitlist/entries/note.ts";
import { WAITLIST_RETENTION_MONTHS } from "#app/waitlist/entries/retention.ts";
import { IMPORT_SOURCE, toSource } from "#app/waitlist/entries/sources.ts";
import { answerField, EARLIER_ANSWERS } from "#app/waitlist/questions/answers.ts";
import { parseAnswer } from "#app/waitlist/questions/questions.server.ts";
import { consentText } from "#app/waitlist/sign-up/consent-wording.ts";
import { parseSignUp } from "#app/waitlist/sign-up/entry-fields.server.ts";

export interface ImportSettings {
  mapping: Mapping;
  /** For rows without a date of consent: `YYYY-MM-DD`, or the day they joined; null if every row has one. */
  consentDate: string | "joined" | null;
  /** How consent was given, for rows that do not say it. */
  note: string;
  /** Of dates without one. */
  timeZone: string;
  /** Whether `03/04/2026` is in March. Null: the file decides, or the owner is asked. */
  monthFirst: boolean | null;
  /** What words of the file mean that this site does not know, by field and {@link wordKey}. */
  words?: Words;
  /** Whether active people are sent the welcome email. */
  welcome: boolean;
}

/** For a status a {@link FileStatus} or {@link LEAVE_OUT}, for a question an answer's key, or nothing. */
export type Words = Partial<Record<FieldName, Record<string, string>>>;

/** The meaning of a status whose rows are not imported. */
export const LEAVE_OUT = "leave-out";

/** A word in a column whose values are known, which is not one of them. */
export interface UnknownWord {
  field: FieldName;
  text: string;
}

export interface RowContext {
  settings: ImportSettings;
  /** When the file was checked, so that the import finds the same as the check. */
  now: EpochMillis;
}

const reasons: Record<string, UnsubscribeReason> = {
  "own-choice": "own-choice",
  complaint: "complaint",
  bounce: "bounce",
  owner: "owner",
};

const confirmations: Record<string, Confirmation> = {
  "not-asked": "not-asked",
  unconfirmed: "unconfirmed",
  confirmed: "confirmed",
};

const booleans = { true: true, yes: true, "1": true, false: false, no: false, "0": false };

function ownValue<Value>(values: Record<string, Value>, word: string): Value | null {
  return Object.hasOwn(values, word) ? (values[word] ?? null) : null;
}

/** How a word of a file is looked up in {@link Words}. */
export function wordKey(text: string): string {
  return text.toLowerCase().slice(0, 100);
}

function meaningOf({ words }: ImportSettings, { field, text }: UnknownWord): string | undefined {
  const chosen = words?.[field] ?? {};
  return ownValue(chosen, wordKey(text)) ?? undefined;
}

type CheckedRow = { unknown: UnknownWord[]; dateOrders: NonNullable<ReturnType<typeof orderOf>>[] } & (
  | { entry: ImportedEntry; problems: null }
  | { entry: null; problems: RowProblem[] }
);

/** The entry that a row becomes, or everything that is wrong with it. Nothing in a cell is ever executed. */
export function toEntry([line, cells]: CsvRow, { settings, now }: RowContext): CheckedRow {
  const unknown: UnknownWord[] = [];
  const dateOrders: CheckedRow["dateOrders"] = [];
  if (typeof cells === "string") return { entry: null, problems: [{ line, code: cells }], unknown, dateOrders };
  const problems: RowProblem[] = [];
  const format: DateFormat = settings;

  const report = (code: RowProblem["code"], field?: FieldName) =>
    void problems.push(field === undefined ? { line, code } : { line, code, field });
  const cell = (field: FieldName) => {
    const column = settings.mapping.indexOf(field);
    return column === -1 ? "" : unescapeFormulas(cells[column] ?? "").trim();
  };
  const known = <Value>(field: FieldName, values: Record<string, Value>, isRequired = false): Value | null => {
    const text = cell(field).toLowerCase();
    if (text === "") return null;
    const value = ownValue(values, text);
    if (value === null && isRequired) report("unknown-value", field);
    else if (value === null) unknown.push({ field, text });
    return value;
  };
  const statusIn = (field: "status" | "subscribed") => {
    const text = cell(field);
    // As this site exports people who have yet to confirm: the other column says the same.
    if (text === "unconfirmed" && cell("confirmation") === "unconfirmed") return "active";
    const meaning = text === "" ? null : fileStatusOf(text);
    if (text === "" || meaning !== null) return meaning;
    unknown.push({ field, text });
    const chosen = meaningOf(settings, { field, text });
    const found = fileStatuses.find((name) => name === chosen);
    if (found === undefined) report(chosen === LEAVE_OUT ? "left-out" : "unknown-value", field);
    return found ?? null;
  };
  const time = (field: FieldName): number | null => {
    const text = cell(field);
    if (text === "") return null;
    const parsed = parseDate(text, format);
    const order = orderOf(text);
    if (order !== null) dateOrders.push(order);
    if (parsed === null) report("invalid-date", field);
    else if (parsed > now) report("future-date", field);
    return parsed;
  };

  const email = normaliseEmail(cell("email"));
  if (email === null) report(cell("email") === "" ? "no-address" : "invalid-address");
  const joined = time("joined");
  const agreed = time("consent");
  const created = joined ?? agreed ?? now;
  // The next run of the cron job would erase it.
  if (created < monthsBefore(now, WAITLIST_RETENTION_MONTHS)) report("too-old", joined === null ? "consent" : "joined");

  // A date, or whether it is so.
  const event = <Name extends FileStatus>(field: FieldName, meaning: Name) => {
    const answer = ownValue(booleans, cell(field).toLowerCase());
    const at = answer === null ? time(field) : null;
    return { meaning: (answer ?? cell(field) !== "") ? meaning : null, at };
  };
  const unsubscribed = event("unsubscribed", "unsubscribed");
  const bounced = event("bounced", "bounced");
  const { status, reason } =
    storedAs[strictest([statusIn("status"), statusIn("subscribed"), unsubscribed.meaning, bounced.meaning])];
  const left = unsubscribed.at ?? bounced.at;
  const consent = agreed ?? defaultConsent(settings, joined);
  if (consent === null && status === "active" && cell("consent") === "") report("no-consent-date");
  const version = cell("consent_version") || null;
  if (version !== null && consentText(version) === null) report("unknown-value", "consent_version");

  const consentNote = cleanConsentNote(cell("consent_note")) || null;
  if ((consentNote?.length ?? 0) > MAX_CONSENT_NOTE_LENGTH) report("too-long", "consent_note");
  const ownerNote = parseNote(cell("owner_note"));
  if (ownerNote.problem !== undefined) report("too-long", "owner_note");
  const answers = readEarlierAnswers(cell(EARLIER_ANSWERS));
  if (answers === null) report("unknown-value", EARLIER_ANSWERS);
  for (const question of questions) {
    const field = answerField(question);
    const text = cell(field);
    const key = answerKey(question, text);
    if (key === null) unknown.push({ field, text });
    const { answer, problem } = parseAnswer(question, key ?? meaningOf(settings, { field, text }) ?? "");
    if (problem !== undefined) report(problem === "answer-too-long" ? "too-long" : "unknown-value", field);
    else if (answer !== null && answers !== null) answers[question.key] = answer;
  }
  const confirmed = time("confirmed");
  const confirmation = known("confirmation", confirmations, true) ?? (confirmed === null ? "not-asked" : "confirmed");
  const entry: Omit<ImportedEntry, "email"> = {
    source: toSource(cell("source")) ?? IMPORT_SOURCE,
    status,
    early_adopter: known("early_adopter", booleans) ?? true,
    metadata: { signup_platform: "import", signup_date: new Date(created).toISOString() },
    ...parseSignUp(Object.fromEntries(optionalColumnNames.map((name) => [name, cell(name)]))).columns,
    answers: answers === null || Object.keys(answers).length === 0 ? null : answers,
    created_at: created,
    unsubscribed_at: status === "unsubscribed" ? (left ?? now) : null,
    unsubscribe_reason: status === "unsubscribed" ? (known("unsubscribe_reason", reasons) ?? reason) : null,
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
  if (email === null || problems.length > 0) return { entry: null, problems, unknown, dateOrders };
  return { entry: { ...entry, email }, problems: null, unknown, dateOrders };
}

function defaultConsent({ consentDate, timeZone }: ImportSettings, joined: number | null): number | null {
  if (consentDate === null || consentDate === "joined") return consentDate === null ? null : joined;
  return parseDate(consentDate, { timeZone, monthFirst: false });
}
