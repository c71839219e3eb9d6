import { and, eq, not, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { cleanAddress, normaliseEmail } from "#app/server/email-address.ts";
import { wordFor } from "#app/ui/word-for.ts";
import { isConfirmation } from "#app/waitlist/confirmation/confirmation.server.ts";
import { hasAnswer } from "#app/waitlist/filter/conditions.server.ts";
import { emailStates } from "#app/waitlist/filter/email-filter.ts";
import { type EntryFilter, type EntrySelection, filters } from "#app/waitlist/filter/filters.server.ts";
import { answerField, isAnswerField } from "#app/waitlist/questions/answers.ts";
import { askedQuestions } from "#app/waitlist/questions/questions.server.ts";

/**
 * Parses the filters of a URL. Other parameters and empty values, which forms send for unused fields, are ignored.
 *
 * @returns the filter, and a sentence for each value that is not valid: such a value does not filter
 */
export function parseEntryFilter(search: URLSearchParams): { filter: EntryFilter; problems: string[] } {
  const filter: EntryFilter = {};
  const problems: string[] = [];
  for (const { name, isList = false, read } of filters()) {
    const values = search.getAll(name).filter((value) => value !== "");
    if (values.length > 1 && !isList) problems.push(`${name} must be given only once.`);
    for (const value of values) {
      const problem = read(value, filter);
      if (problem !== undefined) problems.push(`${name} ${problem}.`);
    }
  }
  for (const [name, value] of search) {
    // Without this, a saved view with an earlier question would show everyone.
    if (isAnswerField(name) && value !== "" && !findFilter(name)) problems.push(`${name} is no longer asked.`);
  }
  return { filter, problems };
}

/** Adds a filter to a URL. The opposite of {@link parseEntryFilter}. */
export function writeEntryFilter(filter: EntryFilter, search = new URLSearchParams()): URLSearchParams {
  for (const { name, write } of filters()) {
    for (const value of write(filter)) if (value !== undefined) search.append(name, value);
  }
  for (const [key, answer] of earlierAnswers(filter)) {
    for (const value of [answer ?? []].flat()) search.append(answerField({ key }), value);
  }
  return search;
}

/** The condition on `waitlist_emails`; undefined if every entry is selected. */
export function isSelected(db: Db, selection: EntrySelection): SQL | undefined {
  const { search, mayGetEmail } = selection;
  const { status } = waitlistEmails;
  const conditions = (areSlow: boolean) =>
    filters()
      .filter(({ isSlow = false }) => isSlow === areSlow)
      .map(({ where }) => where(selection, db));
  return and(
    ...conditions(false),
    ...earlierAnswers(selection).map(([key, answer]) => hasAnswer(key, answer, false)),
    mayGetEmail ? and(eq(status, "active"), not(isConfirmation.unconfirmed)) : undefined,
    search ? isFound(search) : undefined,
    ...conditions(true),
  );
}

/**
 * The condition that an address contains a text, or a note all its words. It reads no more rows than a search of addresses
 * alone: no index helps to find part of a text.
 */
function isFound(search: string): SQL {
  const { email, owner_note } = waitlistEmails;
  return sql`(instr(${email}, ${searchedAddress(search)}) > 0 OR (${owner_note} IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM json_each(${JSON.stringify(searchedWords(search))}) AS word
    WHERE instr(lower(${owner_note}), lower(word.value)) = 0)))`;
}

/** A text that is searched for, in the form that stored addresses have. */
export function searchedAddress(search: string): string {
  return normaliseEmail(search) ?? cleanAddress(search)?.toLowerCase() ?? search;
}

export function searchedWords(search: string): string[] {
  return search.split(/[\s\p{DI}]+/u).filter((word) => word !== "");
}

/** To questions that are no longer asked, in the audience of a letter or a saved view. */
function earlierAnswers({ answers = {} }: EntryFilter) {
  return Object.entries(answers).filter(([key]) => askedQuestions().every((question) => question.key !== key));
}

export function findFilter(name: string) {
  return filters().find((filter) => filter.name === name);
}

/**
 * A problem that a filter has, in the words of its page: `must not be earlier than from` is about “Joined from”.
 *
 * @param problem what {@link filters} say after the name
 */
export function filterProblem(name: string, problem: string): string {
  const labelOf = (other: string) => (findFilter(other) ? `“${findFilter(other)?.label}”` : other);
  const { values = {} } = findFilter(name) ?? {};
  const choicesOf = (names: string) =>
    names
      .split(", ")
      .map((value) => wordFor(values, value))
      .join(", ");
  return problem
    .replace(/(?<=earlier than |combined with |a day in )\w+/g, labelOf)
    .replace(/(?<=must be one of ).*$/, choicesOf)
    .replace(/, such as dead\..*$/, "")
    .replace("dead", emailStates.dead.toLowerCase());
}

export interface ActiveFilter {
  name: string;
  value: string;
  /** Such as `Status: Active`, or `Role: Stallholder or Both`. */
  text: string;
  /** The filter without this part. */
  rest: EntryFilter;
}

/** @param names texts of values by filter, where the filters do not know them */
export function activeFilters(filter: EntryFilter, names: Record<string, Record<string, string>> = {}): ActiveFilter[] {
  const search = writeEntryFilter(filter);
  return [...new Set(search.keys())].flatMap((name) => {
    const given = search.getAll(name);
    const parts = name === "without" ? given.map((value) => [value]) : [given];
    return parts.map((values) => {
      const rest = new URLSearchParams(search);
      for (const value of values) rest.delete(name, value);
      return {
        name,
        value: values.join(),
        text: inWords(name, values, names[name]),
        rest: parseEntryFilter(rest).filter,
      };
    });
  });
}

const listWords = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** Several values are answers to one question, of which one is enough. */
function inWords(name: string, given: string[], names: Record<string, string> = {}): string {
  const filter = findFilter(name);
  const { label = name, values = {}, options } = filter ?? {};
  const words = given.map((value) =>
    wordFor({ ...values, ...options?.(value, []), ...names }, filter?.inWords?.(value) ?? value),
  );
  return `${label}: ${listWords.format(words)}`;
}
