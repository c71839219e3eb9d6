import * as v from "valibot";
import { CHALLENGE_FIELD } from "#app/server/abuse/challenge-field.ts";
import { HONEYPOT_FIELD } from "#app/server/abuse/honeypot.ts";
import type { UnsubscribeReason } from "#app/server/db/schema/entries.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { type Question, questions, site } from "#app/site.ts";
import { wordFor } from "#app/ui/word-for.ts";
import { confirmationOf, confirmations, statusOf } from "#app/waitlist/confirmation/confirmation.ts";
import { campaignValue } from "#app/waitlist/entries/campaign.ts";
import type { Entry } from "#app/waitlist/entries/entries.server.ts";
import { DEFAULT_SOURCE, sourceNames } from "#app/waitlist/entries/sources.ts";
import { statuses } from "#app/waitlist/filter/entry-filter.ts";
import { answerField, EARLIER_ANSWERS } from "#app/waitlist/questions/answers.ts";
import { answerTo, earlierAnswers, mainQuestion } from "#app/waitlist/questions/questions.server.ts";
import { statedVersion, WORDING_FIELD, wordingTexts } from "#app/waitlist/sign-up/consent-wording.ts";

export type SignUpFields = v.InferOutput<typeof signUpSchema>;

/**
 * Parses a sign-up's fields at every entry point: the form's action, `/api/signup` and `/api/send-welcome`. Never
 * throws: an invalid address or source is null, a missing source gets the default, and the wording is as
 * {@link statedVersion} returns it.
 */
export function parseSignUp(received: Record<string, unknown>): SignUpFields {
  return v.parse(signUpSchema, received);
}

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

const text = v.optional(v.pipe(v.unknown(), v.transform(campaignValue)), null);

const signUpSchema = v.pipe(
  v.object({
    email: v.optional(v.pipe(v.unknown(), v.transform(normaliseEmail)), null),
    source: v.nullish(v.fallback(v.nullable(v.pipe(v.string(), v.regex(/^[a-z0-9_]{1,64}$/))), null), DEFAULT_SOURCE),
    via: text,
    [WORDING_FIELD]: v.optional(v.pipe(v.unknown(), v.transform(statedVersion)), null),
    [HONEYPOT_FIELD]: v.optional(v.unknown()),
    [CHALLENGE_FIELD]: v.optional(v.unknown()),
    ...v.entriesFromList(optionalColumnNames, text),
  }),
  v.transform(
    ({
      email,
      source,
      via,
      [WORDING_FIELD]: wording,
      [HONEYPOT_FIELD]: honeypot,
      [CHALLENGE_FIELD]: challenge,
      ...columns
    }) => {
      return { email, source, via, wording, honeypot, challenge, columns };
    },
  ),
);

export interface EntryColumn {
  /** The column's name in exports. */
  name: string;
  /** The column's name on the owner's pages. */
  label: string;
  value: (entry: Entry & { isSuppressed?: boolean }) => string | number | boolean | null;
  /** The value is milliseconds since 1970. */
  isTime?: true;
  /** What people read where there is no value. */
  none?: (entry: Entry) => string | null;
  words?: Readonly<Record<string, string>> | undefined;
}

const unsubscribeReasons: Record<UnsubscribeReason, string> = {
  "own-choice": "The person",
  complaint: "A spam complaint",
  bounce: "A bounced email, as an imported file says",
  owner: "The owner",
};

/** What one person on the list is called, as a label: `Pioneer`. */
export const pioneerLabel = site.pioneer.one.replace(/^an? /, "").replace(/^./, (letter) => letter.toUpperCase());

/** The columns the owner reads, in the order of exports. The exports and pages use this list. */
export const entryColumns: readonly EntryColumn[] = [
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
];

function answerColumn(question: Question): EntryColumn {
  const { label, answers } = question;
  return { name: answerField(question), label, value: (entry) => answerTo(question, entry.answers), words: answers };
}

/** An entry's columns as JSON output shows them: all but the hashes, which serve limits and suppression only. */
export function shownColumns({ mailbox_hash: _, address_hash: __, ...columns }: Entry) {
  return columns;
}

export const listedColumns: readonly EntryColumn[] = [
  "email",
  "joined",
  "status",
  ...(mainQuestion === undefined ? [] : [answerField(mainQuestion)]),
  "source",
  "utm_campaign",
].flatMap((listed) => entryColumns.filter(({ name }) => name === listed));

export function columnText(column: EntryColumn, entry: Entry, formatTime: (time: number) => string): string | null {
  const value = column.value(entry);
  if (value === null) return column.none?.(entry) ?? null;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return column.isTime ? formatTime(Number(value)) : wordFor(column.words ?? {}, String(value));
}
