import type { ImportReport } from "#app/features/import/file/check.server.ts";
import type { FieldName } from "#app/features/import/file/fields.ts";
import { type ImportSettings, LEAVE_OUT, type Words } from "#app/features/import/file/to-entry.server.ts";
import type { outcomes } from "#app/features/import/outcomes.ts";
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
  } satisfies Record<(typeof outcomes)[number], string>),
  [LEAVE_OUT]: "Leave these rows out",
};

const meanings = new Map<FieldName, Record<string, string>>([
  ["status", statusMeanings],
  ["subscribed", statusMeanings],
  ...questions.flatMap((question): [FieldName, Record<string, string>][] =>
    question.answers === undefined ? [] : [[answerField(question), { "": "Leave it empty", ...question.answers }]],
  ),
]);

/** What a field's words can mean, with a text for each; undefined if the owner is not asked. */
export function meaningsOf(field: FieldName): Record<string, string> | undefined {
  return meanings.get(field);
}

export function wordQuestions(report: ImportReport, settings: ImportSettings | null): WordQuestion[] {
  return Object.entries(report.words ?? {}).flatMap(([name, words = {}]) => {
    const field = name as FieldName;
    const known = meaningsOf(field);
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
export function chosenWords(report: ImportReport, choose: (field: FieldName, word: string, index: number) => string) {
  const chosen: Words = {};
  for (const { field, words, meanings } of wordQuestions(report, null)) {
    const pairs = words.map(({ word }, index) => [word, choose(field, word, index)] as const);
    chosen[field] = Object.fromEntries(
      pairs.filter(([, meaning]) => meaning !== "" && Object.hasOwn(meanings, meaning)),
    );
  }
  return chosen;
}
