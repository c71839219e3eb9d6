import { type Question, questions } from "#app/site.ts";
import { optionalColumnNames, optionalColumns } from "#app/waitlist/entry-fields.server.ts";
import { answerField, EARLIER_ANSWERS } from "#app/waitlist/questions/answers.ts";

/** A field of an entry that a column of a file can fill. The names are those of the export's columns. */
export type FieldName = (typeof fields)[number]["name"];

/** In the order in which they are offered, with the names that other services' exports use for them. */
const fields = [
  { name: "email", label: "Email address", aliases: ["email", "email address", "mail", "address"] },
  {
    name: "joined",
    label: "Joined on",
    aliases: ["created at", "joined on", "signup date", "sign-up date", "date added", "subscribed at", "optin time"],
  },
  {
    name: "consent",
    label: "Agreed on (date of consent)",
    aliases: ["consent at", "consent date", "date of consent", "agreed", "agreed on", "confirm time"],
  },
  { name: "consent_note", label: "How they agreed", aliases: ["how consent was given"] },
  { name: "consent_version", label: "Wording agreed to", aliases: [] },
  ...questions.map(answerColumn),
  { name: EARLIER_ANSWERS, label: "Answers to earlier questions", aliases: [] },
  { name: "source", label: "Source", aliases: [] },
  { name: "owner_note", label: "Your note", aliases: ["note", "notes"] },
  { name: "status", label: "Status (active, unsubscribed)", aliases: [] },
  {
    name: "unsubscribed",
    label: "Unsubscribed on",
    aliases: ["unsubscribed at", "unsubscribed on", "unsub time"],
  },
  { name: "unsubscribe_reason", label: "Unsubscribed by", aliases: [] },
  { name: "confirmation", label: "Confirmation", aliases: [] },
  { name: "confirmed", label: "Confirmed on", aliases: ["confirmed at", "confirmed on"] },
  { name: "invited", label: "Invited on", aliases: ["invited at", "invited on"] },
  { name: "early_adopter", label: "Early adopter (yes, no)", aliases: [] },
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

/** What the owner reads for each field. */
export const fieldLabels = Object.fromEntries(fields.map(({ name, label }) => [name, label])) as Record<
  FieldName,
  string
>;

export const fieldNames = fields.map(({ name }) => name);

/** The field that each column fills; null for columns that are left out. */
export type Mapping = (FieldName | null)[];

/** Maps columns by their names. Of several columns for one field, the first counts. */
export function guessMapping(columns: readonly string[]): Mapping {
  const taken = new Set<FieldName>();
  return columns.map((column) => {
    const field = fieldOf(column);
    if (field === null || taken.has(field)) return null;
    taken.add(field);
    return field;
  });
}

/** The field that a column's name stands for, by the field's own name, its label or an alias. */
export function fieldOf(column: string): FieldName | null {
  const name = plain(column);
  const found = fields.find((field) =>
    [field.name, field.label, ...field.aliases].some((known) => plain(known) === name),
  );
  return found?.name ?? null;
}

function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, " ")
    .replace(/^e mail\b/, "email");
}
