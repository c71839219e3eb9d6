import { perSettings } from "#app/server/config/settings.server.ts";
import type { UnsubscribeReason } from "#app/server/db/schema/entries.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { type Question, site } from "#app/site.ts";
import { wordFor } from "#app/ui/word-for.ts";
import { confirmationOf, confirmations, statuses, statusOf } from "#app/waitlist/confirmation/confirmation.ts";
import type { Entry } from "#app/waitlist/entries/entries.server.ts";
import { sourceNames } from "#app/waitlist/entries/sources.ts";
import { answerField, EARLIER_ANSWERS } from "#app/waitlist/questions/answers.ts";
import { answerTo, earlierAnswers, earlierInWords, mainQuestion } from "#app/waitlist/questions/questions.server.ts";
import { wordingTexts } from "#app/waitlist/sign-up/consent-wording.ts";

/** Nullable columns that a sign-up or an imported file may fill in, and what the owner reads for each. */
export const optionalColumns = {
  utm_source: "Campaign source",
  utm_medium: "Campaign medium",
  utm_campaign: "Campaign",
  utm_term: "Campaign term",
  utm_content: "Campaign content",
  referrer_host: "Referring site",
} as const;

/** Column names are field names. */
export const optionalColumnNames = Object.keys(optionalColumns) as (keyof typeof optionalColumns)[];

export interface EntryColumn {
  /** The column's name in exports. */
  name: string;
  /** The column's name on the owner's pages. */
  label: string;
  value: (entry: Entry & { isSuppressed?: boolean }) => string | number | boolean | null;
  /** The value is {@link EpochMillis}. */
  isTime?: true;
  /** What people read where there is no value. */
  none?: (entry: Entry) => string | null;
  words?: Readonly<Record<string, string>> | undefined;
  /** The same for values that are no single word. */
  inWords?: (entry: Entry) => string;
}

const unsubscribeReasons: Record<UnsubscribeReason, string> = {
  "own-choice": "The person",
  complaint: "A spam complaint",
  bounce: "A bounced email, as an imported file says",
  owner: "The owner",
  import: "An imported file, according to which they opted out elsewhere",
};

/** What one person on the list is called, as a label: `Pioneer`. */
export const pioneerLabel = site.pioneer.one.replace(/^an? /, "").replace(/^./, (letter) => letter.toUpperCase());

/** The columns the owner reads, in the order of exports. The exports and pages use this list. */
export const entryColumns = perSettings(({ questions }): readonly EntryColumn[] => [
  { name: "id", label: "Number", value: (entry) => entry.id },
  { name: "email", label: "Address", value: (entry) => entry.email },
  { name: "status", label: "Status", value: statusOf, words: statuses },
  { name: "source", label: "Source", value: (entry) => entry.source, words: sourceNames },
  { name: "early_adopter", label: pioneerLabel, value: (entry) => entry.early_adopter },
  ...questions.map(answerColumn),
  {
    name: EARLIER_ANSWERS,
    label: "Answers to earlier questions",
    value: ({ answers }) => {
      const earlier = earlierAnswers(answers);
      return earlier && JSON.stringify(earlier);
    },
    inWords: ({ answers }) => earlierInWords(answers),
  },
  { name: "joined", label: "Joined", value: (entry) => entry.created_at, isTime: true },
  {
    name: "consent_version",
    label: "Agreed to",
    value: (entry) => entry.consent_version,
    words: wordingTexts,
    // A note says how the others agreed.
    none: ({ consent_note }) => (consent_note === null ? "No wording stated" : null),
  },
  { name: "consent", label: "Agreed on", value: (entry) => entry.consent_at, isTime: true },
  { name: "consent_note", label: "How they agreed", value: (entry) => entry.consent_note },
  { name: "confirmation", label: "Confirmation", value: confirmationOf, words: confirmations },
  { name: "confirmed", label: "Confirmed", value: (entry) => entry.confirmed_at, isTime: true },
  { name: "invited", label: "Invited", value: (entry) => entry.invited_at, isTime: true },
  { name: "unsubscribed", label: "Unsubscribed", value: (entry) => entry.unsubscribed_at, isTime: true },
  {
    name: "unsubscribe_reason",
    label: "Unsubscribed by",
    value: (entry) => entry.unsubscribe_reason,
    words: unsubscribeReasons,
  },
  ...optionalColumnNames.map((name) => ({ name, label: optionalColumns[name], value: (entry: Entry) => entry[name] })),
  { name: "disposable", label: "Throwaway address", value: (entry) => entry.disposable },
  { name: "owner_note", label: "Our note", value: (entry) => entry.owner_note },
]);

function answerColumn(question: Question): EntryColumn {
  const { label, answers } = question;
  return { name: answerField(question), label, value: (entry) => answerTo(question, entry.answers), words: answers };
}

/** An entry's columns as JSON output shows them: all but the hashes, which serve limits and suppression only. */
export function shownColumns({ mailbox_hash: _, address_hash: __, ...columns }: Entry) {
  return columns;
}

export function listedColumns(): EntryColumn[] {
  const question = mainQuestion();
  const answer = question === undefined ? [] : [answerField(question)];
  const names = ["email", "joined", "status", ...answer, "source", "utm_campaign"];
  return names.flatMap((listed) => entryColumns().filter(({ name }) => name === listed));
}

export function columnText(
  column: EntryColumn,
  entry: Entry,
  formatTime: (time: EpochMillis) => string,
): string | null {
  const value = column.value(entry);
  if (value === null) return column.none?.(entry) ?? null;
  if (column.inWords !== undefined) return column.inWords(entry);
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return column.isTime ? formatTime(Number(value)) : wordFor(column.words ?? {}, String(value));
}
