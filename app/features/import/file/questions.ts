import {
  type FileStatus,
  isOtherChannel,
  mayBeAboutEmail,
  nameSuggests,
  type Suggestion,
  statusIn,
  valueSuggests,
  yesOrNo,
} from "#app/features/import/file/email-status.ts";
import { type FieldName, guessMapping, isStatusField } from "#app/features/import/file/fields.ts";
import {
  asksAboutEmail,
  type ImportSettings,
  LEAVE_OUT,
  NOTHING,
  OTHERS,
  ownValue,
  wordKey,
} from "#app/features/import/file/to-entry.server.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { askedQuestions } from "#app/waitlist/questions/questions.server.ts";

interface Asked {
  report: { words?: Record<string, Record<string, number>>; ambiguousDates: number } | null;
  settings: ImportSettings | null;
  columns: readonly string[];
}

/** A column with words of which an owner has to say what they mean. */
export type WordQuestion = ReturnType<typeof wordQuestions>[number];

/** What the file leaves open, column by column. */
export function wordQuestions({ report, settings, columns }: Asked) {
  return Object.entries(report?.words ?? {}).map(([index, counts]) => {
    const column = Number(index);
    const chosen = ownValue(settings?.words, index);
    const words = Object.entries(counts).map(([word, rows]) => ({ word, rows, meaning: ownValue(chosen, word) ?? "" }));
    const name = columns[column] || `Column ${column + 1}`;
    return { column, name, words, ...aboutField(settings?.mapping[column] ?? null) };
  });
}

/** Whether something has to be settled before anyone is added: what words mean, and the order of day and month. */
export function hasOpenQuestions(asked: Asked): boolean {
  const isOpen = ({ isRequired, words }: WordQuestion) => isRequired && words.some(({ meaning }) => meaning === "");
  return (asked.report?.ambiguousDates ?? 0) > 0 || wordQuestions(asked).some(isOpen);
}

interface AboutField {
  hint: string;
  /** What a word can mean, with a text for each. */
  meanings: Record<string, string>;
  /** Whether the import waits for the answer. Otherwise the field stays empty. */
  isRequired: boolean;
}

function aboutField(field: FieldName | null): AboutField {
  const question = askedQuestions().find((asked) => answerField(asked) === field);
  if (question?.answers !== undefined) {
    const hint = "These are not among the answers. The people are added in any case.";
    return { hint, meanings: { "": "Leave it empty", ...question.answers }, isRequired: false };
  }
  if (field === "early_adopter" || field === "disposable") {
    const meanings = { "": CHOOSE, yes: "Yes", no: "No", [LEAVE_OUT]: OUT };
    return { hint: "Neither yes nor no.", meanings, isRequired: true };
  }
  const hint = "This column may say who wants no email. Only people who agreed to emails may get them.";
  return { hint, meanings: statusMeanings, isRequired: true };
}

const CHOOSE = "Choose what it means";
const OUT = "Leave these rows out";

const statusMeanings: Record<"" | FileStatus | typeof NOTHING | typeof LEAVE_OUT, string> = {
  "": CHOOSE,
  active: "Gets emails",
  unsubscribed: "Has unsubscribed",
  bounced: "The address bounced",
  complained: "Marked an email as spam",
  [NOTHING]: "Says nothing about emails",
  [LEAVE_OUT]: OUT,
};

/** How many different words of a column are counted, and as many again that may be about email. */
const MAX_COUNTED = 2_000;

/** @param counts how many rows have a word, by its {@link wordKey} */
export function countWord(counts: Map<string, number>, text: string): void {
  const key = wordKey(text);
  const isMany = counts.size >= 2 * MAX_COUNTED || (counts.size >= MAX_COUNTED && valueSuggests(key) === null);
  const word = isMany && key !== "" && !counts.has(key) ? OTHERS : key;
  counts.set(word, (counts.get(word) ?? 0) + 1);
}

/** The words of a column to ask about, those that may be about email first; none if the column leaves nothing open. */
export function wordsToAsk(counts: Map<string, number>, name: string, field: FieldName | null): WordRows[] {
  const all = [...counts];
  const filled = all.flatMap(([word]) => (word === "" ? [] : [word]));
  // An empty column about consent may be a box that no one ticked.
  const mayBeUnticked = isStatusField(field) || (field === null && suggestionOfColumn([], name, field) === "consent");
  if (filled.length === 0 && !mayBeUnticked) return [];
  if (isStatusField(field)) return listWords(all.filter(([word]) => statusIn(field, word) === null));
  if (!asksAboutEmail(field)) return listWords(all);
  const about = suggestionOfColumn(filled, name, field);
  // Only a column that is left out, or has labels, can say that people agreed.
  const mayAgree = field === null || field === "labels";
  const suggested = filled.map(valueSuggests).filter((found) => found !== null && (found !== "consent" || mayAgree));
  // A column about consent with yes alone, or about refusal with no alone, leaves nothing open.
  const isOpen =
    about === "both" ||
    (about === "consent" && all.some(([word]) => yesOrNo(word) !== true)) ||
    (about === "record" && filled.some((word) => yesOrNo(word) === false || /^(never|none|nie)$/.test(word))) ||
    (about === "refusal" && filled.some((word) => yesOrNo(word) !== false));
  if (!isOpen && suggested.length === 0) return [];
  // In a column about consent, an empty cell may be a box that was not ticked.
  const isConsent =
    about === "consent" || about === "both" || (mayAgree && suggested.some((found) => found !== "refusal"));
  const words = all.filter(([word]) => word !== "" || isConsent);
  const isShort = about !== null || filled.length <= FEW_WORDS;
  return listWords(words, (word) => isShort || word === "" || valueSuggests(word) !== null);
}

/** What the name of a column may be about, unless the owner has mapped it to the field that it names. */
function suggestionOfColumn(words: string[], name: string, field: FieldName | null): Suggestion | null {
  if (isOtherChannel(name) || (field !== null && guessMapping([name])[0] === field)) return null;
  const isVague = mayBeAboutEmail(name) && words.some((word) => yesOrNo(word) === false);
  return nameSuggests(name) ?? (isVague ? "consent" : null);
}

type WordRows = [word: string, rows: number];

/** More words than this are texts, of which only those are listed that may be about email. */
const FEW_WORDS = 12;

/** How many words of a column are listed, besides the empty cell; the others are asked about together. */
const MAX_LISTED = 50;

function listWords(words: WordRows[], isListed = (_: string) => true): WordRows[] {
  // Once each, since a column can have thousands.
  const weights = new Map(words.map(([word, rows]) => [word, valueSuggests(word) === null ? rows : rows + 1_000_000]));
  const weight = ([word]: WordRows) => weights.get(word) ?? 0;
  const sum = (counted: WordRows[]) => counted.reduce((total, [, rows]) => total + rows, 0);
  const shown = words
    .filter(([word]) => word !== OTHERS && isListed(word))
    .toSorted((a, b) => weight(b) - weight(a))
    .filter(([word], index) => index < MAX_LISTED || word === "");
  const rest = sum(words) - sum(shown);
  return rest > 0 ? [...shown, [OTHERS, rest]] : shown;
}
