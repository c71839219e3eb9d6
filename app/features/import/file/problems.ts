import { type FieldName, fieldLabels } from "#app/features/import/file/fields.ts";
import { WAITLIST_RETENTION_MONTHS } from "#app/waitlist/entries/retention.ts";

export type RowProblemCode =
  | "quotes"
  | "columns"
  | "no-address"
  | "invalid-address"
  | "duplicate"
  | "invalid-date"
  | "future-date"
  | "too-old"
  | "no-consent-date"
  | "unknown-value"
  | "left-out"
  | "too-long";

export interface RowProblem {
  /** The line of the file that the row begins in. */
  line: number;
  code: RowProblemCode;
  field?: FieldName;
  /** The line of the same address. */
  first?: number;
}

/** A problem in words; never an address or another value from the file. */
export function problemText({ code, field, first }: Omit<RowProblem, "line">): string {
  const subject = field === undefined ? "" : `${(fieldLabels[field] ?? field).replace(/ \(.*/, "")}: `;
  return subject + (code === "duplicate" && first !== undefined ? `The same address as in line ${first}` : texts[code]);
}

const texts: Record<RowProblemCode, string> = {
  quotes: "A quotation mark inside a cell is not doubled",
  columns: "More cells than the header row",
  "no-address": "No address",
  "invalid-address": "Not an email address",
  duplicate: "The same address as in an earlier line",
  "invalid-date": "Not a date",
  "future-date": "A date in the future",
  "too-old": `More than ${WAITLIST_RETENTION_MONTHS} months ago, and entries are erased after that time`,
  "no-consent-date": "No date of consent",
  "unknown-value": "A value that is not known",
  "left-out": "A value whose rows you chose to leave out",
  "too-long": "Too long",
};
