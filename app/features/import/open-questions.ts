import type { ImportReport } from "#app/features/import/file/check.server.ts";
import type { FieldName } from "#app/features/import/file/fields.ts";
import { type ImportSettings, LEAVE_OUT, type Words } from "#app/features/import/file/to-entry.server.ts";
import type { FileStatus } from "#app/features/import/file-status.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { questions } from "#app/site.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";

/** A column with words that this site does not know. */
export interface WordQuestion {
  field: FieldName;
  words: { word: string; rows: number; meaning: string }[];
  /** What a word can mean, with a text for each. */
  meanings: Record<string, string>;
  /** Whether the import waits for the answer. Otherwise the field stays empty. */
  isRequired: boolean;
}

const statusMeanings: Record<string, string> = {
  "": "Choose what it means",
  ...({
    active: "Gets emails",
    unsubscribed: "Has unsubscribed",
    bounced: "The address bounced",
    complained: "Marked an email as spam",
  } satisfies Record<FileStatus, string>),
  [LEAVE_OUT]: "Leave these rows out",
};

/** What the words of a field can mean, with a text for each. The owner is not asked about those of other fields. */
export const meanings = new Map<FieldName, Record<string, string>>([
  ["status", statusMeanings],
  ["subscribed", statusMeanings],
  ...questions.flatMap((question): [FieldName, Record<string, string>][] =>
    question.answers === undefined ? [] : [[answerField(question), { "": "Leave it empty", ...question.answers }]],
  ),
]);

export function wordQuestions(report: ImportReport, settings: ImportSettings | null): WordQuestion[] {
  return Object.entries(report.words ?? {}).flatMap(([name, words = {}]) => {
    const field = name as FieldName;
    const known = meanings.get(field);
    if (known === undefined) return [];
    const chosen = settings?.words?.[field] ?? {};
    const rows = Object.entries(words).map(([word, count]) => ({
      word,
      rows: count,
      meaning: Object.hasOwn(chosen, word) ? (chosen[word] ?? "") : "",
    }));
    return [{ field, words: rows, meanings: known, isRequired: known === statusMeanings }];
  });
}

/** Whether something has to be settled before anyone is added: whom the file calls what, and the order of day and month. */
export function hasOpenQuestions(report: ImportReport, settings: ImportSettings | null): boolean {
  const isOpen = ({ isRequired, words }: WordQuestion) => isRequired && words.some(({ meaning }) => meaning === "");
  return report.ambiguousDates > 0 || wordQuestions(report, settings).some(isOpen);
}

/** The meanings that a form gives, without those that do not exist. */
export function readMeanings(report: ImportReport, form: FormData): Words {
  const chosen = wordQuestions(report, null).map(({ field, words, meanings: known }) => {
    const pairs = words.map(({ word }, index) => [word, fieldText(form, `${field}.${index}`)] as const);
    return [field, Object.fromEntries(pairs.filter(([, meaning]) => meaning !== "" && Object.hasOwn(known, meaning)))];
  });
  return Object.fromEntries(chosen);
}
