import {
  list,
  nameSuggests,
  plainWords,
  type StatusField,
  statusFields,
} from "#app/features/import/file/email-status.ts";
import { perSettings } from "#app/server/config/settings.server.ts";
import type { Question } from "#app/site.ts";
import { optionalColumns, pioneerLabel } from "#app/waitlist/entries/entry-columns.server.ts";
import { type AnswerField, answerField, EARLIER_ANSWERS } from "#app/waitlist/questions/answers.ts";
import { askedQuestions } from "#app/waitlist/questions/questions.server.ts";

/** In the order in which they are offered. The names are those of the export's columns. */
const labels = () => ({
  email: "Email address",
  joined: "Joined on",
  consent: "Agreed on (date of consent)",
  consent_note: "How they agreed",
  consent_version: "Agreed to (version of the wording)",
  ...answerLabels(),
  [EARLIER_ANSWERS]: "Answers to earlier questions",
  labels: "Labels or tags (such as role: host)",
  source: "Source",
  owner_note: "Your note",
  status: "Status (such as active, unsubscribed, bounced)",
  subscribed: "Gets emails (yes, no)",
  unsubscribed: "Unsubscribed (on, or yes)",
  bounced: "Address bounced (on, or yes)",
  complained: "Reported spam (on, or yes)",
  unsubscribe_reason: "Unsubscribed by",
  confirmation: "Confirmation",
  confirmed: "Confirmed on",
  invited: "Invited on",
  early_adopter: `${pioneerLabel} (yes, no)`,
  ...optionalColumns,
  disposable: "Throwaway address (yes, no)",
});

/** A field of an entry that a column of a file can fill. */
export type FieldName = keyof ReturnType<typeof labels> | AnswerField;

export const fieldLabels: () => Record<FieldName, string> = perSettings(labels);

export function fieldNames(): FieldName[] {
  return Object.keys(fieldLabels()) as FieldName[];
}

/** What other services' exports and spreadsheets call them, the likeliest name first. */
const aliases = (): Partial<Record<FieldName, string[]>> => ({
  email: list("email, mail, address, e mail adresse, adresse e mail, correo"),
  joined: list(`created at, created, joined at, date joined, join date, signup date, sign up date, signed up at,
    registered at, date added, added at, subscribed at, subscribed on, subscription date, subscribe date, optin time,
    opt in time, opt in date, timestamp, zeitstempel, angemeldet am, creation date`),
  consent: list("consent at, consent date, date of consent, agreed, agreed on, confirm time, opted in at"),
  consent_note: ["how consent was given"],
  consent_version: ["wording agreed to"],
  ...Object.fromEntries(askedQuestions().map((asked) => [answerField(asked), namesOf(asked)])),
  labels: ["tags"],
  owner_note: list("note, notes"),
  status: list(`subscription status, subscriber status, email status, marketing status, email marketing status,
    email subscription status, email subscriber status`),
  subscribed: list(`subscribed to emails, is subscribed, opted in, opt in, optin, email opt in, accepts marketing,
    accepts email marketing, newsletter, marketing consent, email consent, email marketing consent, gdpr consent,
    marketing permission, accepts emails`),
  unsubscribed: list(`unsubscribed at, unsubscribed on, unsubscribe date, unsubscribed date, date unsubscribed,
    unsubscription date, unsub time, unsubscribe time, leave time, cancelled at, canceled at, opted out, opted out at,
    opt out, optout, optedout, opt out date, opt out time, email opt out, opted out of email, has opted out of email,
    do not contact, do not email, do not mail, donotemail, donotcontact, dnc, deleted at, email disabled,
    unsubscribed from all email, abgemeldet, abgemeldet am, werbesperre`),
  bounced: list(`bounced at, bounced on, bounce date, bounce, hard bounced, hard bounce, clean time, cleaned at,
    undeliverability date, unzustellbar`),
  complained: list(`complained at, complained on, complaint, complaint date, spam complaint, marked as spam,
    reported spam`),
  confirmed: ["confirmed at"],
  invited: ["invited at"],
  referrer_host: ["referrer"],
});

function namesOf({ key, label, wording }: Question): string[] {
  return [key, label, wording, ...(key === "first_name" ? list("firstname, fname, given name, vorname, prénom") : [])];
}

function answerLabels(): Record<AnswerField, string> {
  const choices = ({ answers }: Question) => (answers === undefined ? "" : ` (${Object.keys(answers).join(", ")})`);
  return Object.fromEntries(askedQuestions().map((asked) => [answerField(asked), asked.label + choices(asked)]));
}

/** A field's label without examples of its values. */
export function fieldTitle(field: FieldName): string {
  return (fieldLabels()[field] ?? field).replace(/ \(.*/, "");
}

export function isStatusField(field: FieldName | null | undefined): field is StatusField {
  return field != null && Object.hasOwn(statusFields, field);
}

/** The field that each column fills; null for columns that are left out. */
export type Mapping = (FieldName | null)[];

/** Maps columns by their names. Of several columns for one field, the one with the likeliest name counts. */
export function guessMapping(columns: readonly string[]): Mapping {
  const names = columns.map(plain);
  const mapping: Mapping = columns.map(() => null);
  for (const [field, known] of knownNames()) {
    const found = known.flatMap((word) => names.flatMap((own, index) => (own === word ? [index] : [])));
    for (const index of isStatusField(field) ? found : found.slice(0, 1)) mapping[index] ??= field;
  }
  return mapping;
}

const knownNames = perSettings(() => {
  const others = aliases();
  return fieldNames().map((field) => {
    const known = [field, fieldTitle(field), fieldLabels()[field] ?? field, ...(others[field] ?? [])];
    return [field, known.map(plain)] as const;
  });
});

function plain(name: string): string {
  return plainWords(name).replace(/\be mail\b/, "email");
}

/** Dates and flags: their values raise no question about email. */
const plainFields: FieldName[] = ["joined", "consent", "confirmed", "invited", "early_adopter", "disposable"];

/** What is wrong with a mapping, in sentences for the owner. @param columns their names */
export function columnErrors(mapping: Mapping, columns: readonly string[]): string[] {
  const refusing = columns.filter((name, index) => {
    const field = mapping[index] ?? null;
    const isPlain = field !== null && plainFields.includes(field) && guessMapping([name])[0] !== field;
    return isPlain && ["refusal", "both"].includes(nameSuggests(name) ?? "");
  });
  const used = mapping.filter((field) => field !== null && !isStatusField(field)) as FieldName[];
  const twice = new Set(used.filter((field, index) => used.indexOf(field) !== index));
  return [
    ...(used.includes("email") ? [] : ["No column holds the email addresses. Choose one."]),
    ...Array.from(twice, (field) => `Two columns are “${fieldLabels()[field]}”. Choose one of them.`),
    ...refusing.map((name) => `“${name}” may say who wants no email. Choose that, or leave the column out.`),
  ];
}
