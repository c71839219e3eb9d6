import { getTableColumns } from "drizzle-orm";
import * as v from "valibot";
import {
  type FileStatus,
  fileStatuses,
  ownReasons,
  refusalIn,
  statusFields,
  statusIn,
  strictest,
  valueSuggests,
  yesOrNo,
} from "#app/features/import/file/email-status.ts";
import { type FieldName, fieldTitle, isStatusField, type Mapping } from "#app/features/import/file/fields.ts";
import { orderOf, parseDate } from "#app/features/import/file/parse-date.ts";
import type { CsvRow } from "#app/features/import/file/read-csv.server.ts";
import { unescapeFormulas } from "#app/owner/ui/csv.ts";
import { type Answers, waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { monthsBefore } from "#app/server/time/calendar.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import type { Question } from "#app/site.ts";
import { CONFIRM_PERIOD, confirmations } from "#app/waitlist/confirmation/confirmation.ts";
import { cleanConsentNote, MAX_CONSENT_NOTE_LENGTH } from "#app/waitlist/entries/consent-note.ts";
import type { Entry } from "#app/waitlist/entries/entries.server.ts";
import { optionalColumnNames } from "#app/waitlist/entries/entry-columns.server.ts";
import { MAX_NOTE_LENGTH, parseNote } from "#app/waitlist/entries/note.ts";
import { WAITLIST_RETENTION_MONTHS } from "#app/waitlist/entries/retention.ts";
import { IMPORT_SOURCE, toSource } from "#app/waitlist/entries/sources.ts";
import { answerField, EARLIER_ANSWERS, MAX_ANSWER_LENGTH } from "#app/waitlist/questions/answers.ts";
import { askedQuestions, parseAnswer } from "#app/waitlist/questions/questions.server.ts";
import { consentText } from "#app/waitlist/sign-up/consent-wording.ts";
import { parseSignUp } from "#app/waitlist/sign-up/entry-fields.server.ts";

/** A person as a file has them, without what the import adds. `disposable` is null if the file does not say. */
export type ImportedEntry = Omit<Entry, "disposable"> & { disposable: boolean | null };

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
  words?: Words;
  /** Whether active people are sent the welcome email. */
  welcome: boolean;
  /** Whether people who are on the list, and opted out according to the file, are unsubscribed. */
  unsubscribe: boolean;
  /** Whether people who are on the list are given the answers of the file that they have not given. */
  fill?: boolean;
  /** By line: what a later row of the same address says, if that is stricter, by its place in {@link fileStatuses}. */
  later?: Record<string, number>;
  /** The lines of rows whose address is in an earlier one. */
  repeats?: number[];
}

/**
 * What the owner says that words mean, by the column's index and {@link wordKey}: a {@link FileStatus}, {@link NOTHING}
 * or {@link LEAVE_OUT}; for a question an answer's key; or `yes` or `no`.
 */
export type Words = Record<string, Record<string, string>>;

/** The rows with this word are not imported. */
export const LEAVE_OUT = "leave-out";
/** The word does not say who gets email. */
export const NOTHING = "nothing";

/** The {@link wordKey} of all words of a column that are not listed. */
export const OTHERS = "*";
/** Characters. */
const MAX_WORD = 100;

/** How a word is looked up in {@link Words}. Of a long text, the key is the part that may be about wanting no email. */
export function wordKey(text: string): string {
  if (text === OTHERS) return "**";
  const word = text.length > MAX_WORD ? (refusalIn(text) ?? text) : text;
  return word.toLowerCase().slice(0, MAX_WORD);
}

export function ownValue<Value>(values: Record<string, Value> | undefined, word: string): Value | undefined {
  return values !== undefined && Object.hasOwn(values, word) ? values[word] : undefined;
}

export interface RowContext {
  settings: ImportSettings;
  /** When the file was checked, so that the import finds the same as the check. */
  now: EpochMillis;
}

interface CheckedRow {
  /** What the row becomes; null if it has problems. */
  entry: ImportedEntry | null;
  /** Never with an address or another value from the file. */
  problems: string[];
  /** Words that the owner may be asked about, and known ones, beside which an empty cell may say something. */
  words: { column: number; text: string }[];
  status: FileStatus;
  dateOrders: NonNullable<ReturnType<typeof orderOf>>[];
}

/** What spreadsheets and databases write for a cell without a value. */
const EMPTY = /^(null|\\n|#?n\/a|-|–|—|0000-00-00.{0,9})$/i;

/** The text of a cell, without what keeps spreadsheets from running it. */
export function cellText(cell = ""): string {
  const text = unescapeFormulas(cell).trim();
  return text.length < 20 && EMPTY.test(text) ? "" : text;
}

/** The entry that a row becomes, or everything that is wrong with it. Nothing in a cell is ever executed. */
export function toEntry([line, cells]: CsvRow, { settings, now }: RowContext): CheckedRow {
  const { mapping } = settings;
  const checked: CheckedRow = { entry: null, problems: [], words: [], status: "active", dateOrders: [] };
  const texts = Array.from(cells, (text) => cellText(text));
  // Its cells may be in the wrong columns.
  const isLong = texts.length > mapping.length;
  const cell = (field: FieldName) => texts[mapping.indexOf(field)] ?? "";
  // What else is wrong with someone who wants no email does not matter: they are stored so that no one adds them again.
  const report = (text: string, field?: FieldName | null) => {
    if (checked.status === "active") checked.problems.push(field == null ? text : `${fieldTitle(field)}: ${text}`);
  };
  /** What the owner says of a word; undefined if they have not said it. An empty cell is none of the others. */
  const meaningOf = (column: number, text: string): string | undefined => {
    checked.words.push({ column, text });
    const said = ownValue(settings.words, String(column));
    const others = text === "" ? NOTHING : ownValue(said, OTHERS);
    return said === undefined ? others : (ownValue(said, wordKey(text)) ?? others);
  };
  const dateIn = (text: string): EpochMillis | null => {
    const order = orderOf(text);
    if (order !== null) checked.dateOrders.push(order);
    return parseDate(text, settings);
  };
  const time = (field: FieldName): EpochMillis | null => {
    const text = cell(field);
    const parsed = text === "" ? null : dateIn(text);
    if (text !== "" && parsed === null) report("Not a date that this site reads", field);
    if (parsed === null || parsed <= now) return parsed;
    report("A date in the future", field);
    return null;
  };
  const flag = (field: FieldName): boolean | null => {
    const text = cell(field);
    const known = yesOrNo(text);
    if (text === "" || known !== null) return known;
    const meaning = meaningOf(mapping.indexOf(field), text);
    if (meaning !== "yes" && meaning !== "no") report(meaning === LEAVE_OUT ? LEFT_OUT : UNKNOWN, field);
    return meaning === "yes";
  };

  const email = normaliseEmail(cell("email"));
  if (email === null) report(cell("email") === "" ? "No address" : "Not an email address");

  const said: FileStatus[] = [];
  const open: number[] = [];
  let left: EpochMillis | null = null;
  let hasSubscribed = false;
  for (const [column, field] of mapping.entries()) {
    const text = texts[column] ?? "";
    if (!isStatusField(field)) {
      if (asksAboutEmail(field)) open.push(column);
      continue;
    }
    const known = statusIn(field, text);
    const at = known === null && field !== "status" ? dateIn(text) : null;
    if (known !== null || at !== null) checked.words.push({ column, text: at === null ? text : "yes" });
    // As this site exports people who have yet to confirm: the other column says the same.
    const isUnconfirmed = text === "unconfirmed" && cell("confirmation") === text;
    const says = isUnconfirmed ? "active" : (known ?? (at === null ? null : statusFields[field]));
    if (says === null) open.push(column);
    else said.push(says);
    if (at !== null && says !== "active") left ??= Math.min(at, now);
    if (at !== null && says === "active") hasSubscribed = true;
  }
  if (isLong && texts.some((text) => valueSuggests(text) === "refusal")) said.push("unsubscribed");
  checked.status = strictest(said);
  if (isLong) report("More cells than the row of the headings");
  // What is not known matters only for those who get email otherwise.
  for (const column of checked.status === "active" && !isLong ? open : []) {
    const field = mapping[column];
    const text = texts[column] ?? "";
    // The date on which they subscribed says more than an empty cell elsewhere.
    if (text === "" && hasSubscribed && field === "subscribed") continue;
    const meaning = meaningOf(column, text);
    const chosen = fileStatuses.find((known) => known === meaning);
    const isAsked = isStatusField(field) || ownValue(settings.words, String(column)) !== undefined;
    if (chosen !== undefined) said.push(chosen);
    else if (meaning !== NOTHING && isAsked) {
      const text = meaning === LEAVE_OUT ? LEFT_OUT : UNKNOWN;
      report(field == null ? `Column ${column + 1}: ${text}` : text, field);
    }
  }
  const status = strictest([...said, fileStatuses[ownValue(settings.later, String(line)) ?? 0] ?? "active"]);
  const isActive = status === "active";
  checked.status = status;

  const joined = time("joined");
  const agreed = time("consent");
  const given = joined ?? agreed ?? now;
  // The next run of the cron job would erase it.
  const isTooOld = given < monthsBefore(now, WAITLIST_RETENTION_MONTHS);
  if (isTooOld) report(TOO_OLD, joined === null ? "consent" : "joined");
  const created = isTooOld ? now : given;
  const byDefault = settings.consentDate === "joined" ? joined : parseDate(settings.consentDate ?? "", settings);
  const consent = agreed ?? byDefault;
  if (consent === null && checked.problems.length === 0) report("No date of consent");
  const version = cell("consent_version") || null;
  if (version !== null && consentText(version) === null) report(UNKNOWN, "consent_version");
  const consentNote = cleanConsentNote(cell("consent_note"));
  if (consentNote.length > MAX_CONSENT_NOTE_LENGTH) report("Too long", "consent_note");
  const ownerNote = parseNote(cell("owner_note"));
  if (ownerNote.problem !== undefined) report("Too long", "owner_note");
  const earlier = readEarlierAnswers(cell(EARLIER_ANSWERS));
  if (earlier === null) report(UNKNOWN, EARLIER_ANSWERS);
  const answers: Answers = { ...earlier };
  for (const question of askedQuestions()) {
    const field = answerField(question);
    const text = cell(field) || labelOf(question, cell("labels"));
    const key = answerKey(question, text) ?? (mapping.includes(field) ? meaningOf(mapping.indexOf(field), text) : "");
    // A refusal of email can stand where an answer is expected.
    if (!key && valueSuggests(text) === "refusal") report(UNKNOWN, field);
    const { answer, problem } = parseAnswer(question, key ?? "");
    if (problem !== undefined) report(problem === "answer-too-long" ? "Too long" : UNKNOWN, field);
    else if (answer !== null) answers[question.key] = answer;
  }
  const confirmed = time("confirmed");
  const confirmation = cell("confirmation").toLowerCase() || (confirmed === null ? "not-asked" : "confirmed");
  if (!Object.hasOwn(confirmations, confirmation)) report(UNKNOWN, "confirmation");
  const ownReason = ownReasons.find((reason) => reason === cell("unsubscribe_reason").toLowerCase()) ?? null;
  const reasons = { active: null, unsubscribed: ownReason, bounced: "bounce", complained: "complaint" } as const;
  const entry: ImportedEntry = {
    ...noValues,
    id: 0,
    verified: false,
    email: email ?? "",
    source: toSource(cell("source")) ?? IMPORT_SOURCE,
    status: isActive ? "active" : "unsubscribed",
    early_adopter: flag("early_adopter") ?? true,
    metadata: { signup_platform: "import", signup_date: new Date(created).toISOString() },
    ...parseSignUp(Object.fromEntries(optionalColumnNames.map((name) => [name, cell(name)]))).columns,
    answers: Object.keys(answers).length === 0 ? null : answers,
    created_at: created,
    unsubscribed_at: isActive ? null : (left ?? now),
    unsubscribe_reason: reasons[status],
    consent_version: version,
    consent_at: consent,
    // A wording of our own form needs no further record of how consent was given.
    consent_note: consentNote.slice(0, MAX_CONSENT_NOTE_LENGTH) || (version === null ? settings.note : null),
    owner_note: ownerNote.note?.slice(0, MAX_NOTE_LENGTH).toWellFormed() ?? null,
    confirm_by: confirmation === "unconfirmed" ? created + CONFIRM_PERIOD : null,
    invited_at: time("invited"),
    confirmed_at: confirmation === "confirmed" ? (confirmed ?? consent ?? created) : null,
    disposable: flag("disposable"),
  };
  return checked.problems.length > 0 ? checked : { ...checked, entry };
}

const TOO_OLD = `More than ${WAITLIST_RETENTION_MONTHS} months ago, and entries are erased after that time`;
const UNKNOWN = "A value that is not known";
const LEFT_OUT = "A value whose rows you chose to leave out";

const columns = Object.keys(getTableColumns(waitlistEmails));
const noValues = Object.fromEntries(columns.map((name) => [name, null])) as Record<keyof Entry, null>;

/** Whether the owner may be asked what the words of such a column say about email: it is left out, or has texts. */
export function asksAboutEmail(field: FieldName | null): boolean {
  const isAnswer = askedQuestions().some((asked) => asked.answers === undefined && answerField(asked) === field);
  return field === null || textFields.includes(field) || isAnswer;
}

const textFields: FieldName[] = ["labels", "source", "owner_note", "consent_note", ...optionalColumnNames];

/** The answer among labels such as `role: host`, as this site exports them to Ghost and Mailchimp; empty if none. */
function labelOf({ key }: Question, labels: string): string {
  const names = labels.replaceAll('"', "").split(",");
  const label = names.find((name) => name.trim().startsWith(`${key}: `)) ?? "";
  return label.slice(label.indexOf(":") + 1).trim();
}

/**
 * The key of an answer by its key or its text, in any case; null if it is none of the answers. Two answers in one cell
 * are the one with the key `both`, if the question has it. Without choices, and of an empty cell, the text as it is.
 */
export function answerKey({ answers }: Question, text: string): string | null {
  if (answers === undefined || text === "") return text;
  const keyFor = (name: string) =>
    Object.entries(answers).find((names) => names.some((known) => known.toLowerCase() === name.toLowerCase()))?.[0];
  const whole = keyFor(text);
  const keys = new Set(whole ? [whole] : text.split(/[,;|/&+]| and /i).map((part) => keyFor(part.trim())));
  const [only = null] = keys;
  if (keys.size === 1) return only;
  return keys.size === 2 && !keys.has(undefined) && Object.hasOwn(answers, "both") ? "both" : null;
}

/** Answers that an export of this site has as JSON; null if they are malformed. */
export function readEarlierAnswers(text: string): Answers | null {
  const { success, output } = v.safeParse(earlierAnswersSchema, text || "{}");
  return success ? output : null;
}

const earlierAnswersSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.record(v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,31}$/)), v.pipe(v.string(), v.maxLength(MAX_ANSWER_LENGTH))),
);
