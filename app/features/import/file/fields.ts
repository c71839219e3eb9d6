import { type Question, questions } from "#app/site.ts";
import { optionalColumnNames, optionalColumns, pioneerLabel } from "#app/waitlist/entries/entry-columns.server.ts";
import { answerField, EARLIER_ANSWERS } from "#app/waitlist/questions/answers.ts";

/** A field of an entry that a column of a file can fill. The names are those of the export's columns. */
export type FieldName = (typeof fields)[number]["name"];

/** In the order in which they are offered, with the names that other services' exports use for them. */
const fields = [
  { name: "email", label: "Email address", aliases: ["email", "email address", "mail", "address"] },
  {
    name: "joined",
    label: "Joined on",
    aliases: [
      "created at",
      "created",
      "joined on",
      "joined at",
      "date joined",
      "join date",
      "signup date",
      "sign-up date",
      "signed up at",
      "registered at",
      "date added",
      "added at",
      "subscribed at",
      "subscribed on",
      "subscription date",
      "optin time",
      "opt-in time",
      "timestamp",
    ],
  },
  {
    name: "consent",
    label: "Agreed on (date of consent)",
    aliases: ["consent at", "consent date", "date of consent", "agreed", "agreed on", "confirm time", "opted in at"],
  },
  { name: "consent_note", label: "How they agreed", aliases: ["how consent was given"] },
  { name: "consent_version", label: "Agreed to (version of the wording)", aliases: ["wording agreed to"] },
  ...questions.map(answerColumn),
  { name: EARLIER_ANSWERS, label: "Answers to earlier questions", aliases: [] },
  { name: "source", label: "Source", aliases: [] },
  { name: "owner_note", label: "Your note", aliases: ["note", "notes"] },
  {
    name: "status",
    label: "Status (such as active, unsubscribed, bounced)",
    aliases: ["state", "subscription status", "subscriber status", "email status", "marketing status"],
  },
  {
    name: "subscribed",
    label: "Gets emails (yes, no)",
    aliases: ["subscribed to emails", "opted in", "opt in", "email opt in", "accepts marketing", "newsletter"],
  },
  {
    name: "unsubscribed",
    label: "Unsubscribed on",
    aliases: [
      "unsubscribed at",
      "unsubscribed on",
      "unsub time",
      "leave time",
      "cancelled at",
      "canceled at",
      "opted out at",
      "deleted at",
    ],
  },
  { name: "bounced", label: "Address bounced on", aliases: ["bounced at", "bounced on", "clean time", "cleaned at"] },
  { name: "unsubscribe_reason", label: "Unsubscribed by", aliases: [] },
  { name: "confirmation", label: "Confirmation", aliases: [] },
  { name: "confirmed", label: "Confirmed on", aliases: ["confirmed at", "confirmed on"] },
  { name: "invited", label: "Invited on", aliases: ["invited at", "invited on"] },
  { name: "early_adopter", label: `${pioneerLabel} (yes, no)`, aliases: [] },
  ...optionalColumnNames.map((name) => ({
    name,
    label: optionalColumns[name],
    aliases: name === "referrer_host" ? ["referrer"] : [],
  })),
  { name: "disposable", label: "Throwaway address (yes, no)", aliases: [] },
] as const satisfies { name: string; label: string; aliases: string[] }[];

/** Named after the question, unless another field has that name. */
function answerColumn({ key, label, wording, answers }: Question) {
  const choices = answers === undefined ? "" : ` (${Object.keys(answers).join(", ")})`;
  return { name: answerField({ key }), label: `${label}${choices}`, aliases: [key, label, wording] };
}

export const fieldLabels = Object.fromEntries(fields.map(({ name, label }) => [name, label])) as Record<
  FieldName,
  string
>;

export const fieldNames = fields.map(({ name }) => name);

/** The field that each column fills; null for columns that are left out. */
export type Mapping = (FieldName | null)[];

/** Maps columns by their names. Of several columns for one field, the one counts whose name comes first among its names. */
export function guessMapping(columns: readonly string[]): Mapping {
  const names = columns.map(plain);
  const mapping: Mapping = columns.map(() => null);
  for (const { name, known } of knownNames) {
    const found = known.find((word) => names.includes(word));
    const index = found === undefined ? -1 : names.indexOf(found);
    if (index !== -1 && mapping[index] === null) mapping[index] = name;
  }
  return mapping;
}

/** What a field's column is called, the likeliest name first. */
const knownNames = fields.map(({ name, label, aliases }) => ({ name, known: [name, label, ...aliases].map(plain) }));

function plain(name: string): string {
  return plainWords(name).replace(/^e mail\b/, "email");
}

/** A text in lower case, with one space where it has others, underscores or hyphens. */
export function plainWords(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, " ");
}
