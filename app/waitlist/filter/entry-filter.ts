import type { EntryFilter, ShownStatus } from "#app/server/db/schema/entry-filter.ts";
import { milestones, type Question, questions } from "#app/site.ts";
import { referrals } from "#app/switches.ts";
import { confirmations } from "#app/waitlist/confirmation/confirmation.ts";
import { originColumns } from "#app/waitlist/entries/origin-columns.ts";
import { emailFilterValue, parseEmailFilter } from "#app/waitlist/filter/email-filter.ts";
import { answerField, isAnswerField, MAX_ANSWER_LENGTH } from "#app/waitlist/questions/answers.ts";

export const statuses: Record<ShownStatus, string> = {
  active: "Active",
  unconfirmed: "Unconfirmed",
  suppressed: "Suppressed",
  unsubscribed: "Unsubscribed",
};

/** The filters by referrals that the site offers. Others still work, as in saved views. */
export const referralFilters: readonly string[] = [
  ...(referrals ? ["friends"] : []),
  ...(referrals && milestones.length > 0 ? ["milestone"] : []),
];

const withoutNames: readonly string[] = [...originColumns, ...questions.map(answerField)];

interface FilterParameter {
  name: string;
  /** Whether it can be given several times. */
  isList?: boolean;
  /** Adds the value to a filter. Returns what is wrong with it otherwise. */
  read(value: string, filter: EntryFilter): string | undefined;
  write(filter: EntryFilter): (string | undefined)[];
}

/** Every filter, in the order of the list's URL. */
export const filterParameters: readonly FilterParameter[] = [
  choice("status", statuses),
  choice("confirmation", confirmations),
  ...questions.map(answer),
  {
    name: "source",
    read(value, filter) {
      if (!/^[a-z0-9_]{1,64}$/.test(value)) return "must be a source: lower-case letters, digits and underscores";
      filter.source = value;
    },
    write: ({ source }) => [source],
  },
  yesOrNo("imported"),
  origin("utm_source"),
  origin("utm_campaign"),
  origin("referrer_host"),
  {
    name: "without",
    isList: true,
    read(value, filter) {
      const column = originColumns.find((known) => known === value);
      const key = questions.find((question) => answerField(question) === value)?.key;
      if (column === undefined && key === undefined) return `must be one of ${withoutNames.join(", ")}`;
      const given = column === undefined ? filter.answers?.[key ?? ""] : filter[column];
      if (given !== undefined && given !== null) return `cannot be combined with ${value}`;
      if (column !== undefined) filter[column] = null;
      else filter.answers = { ...filter.answers, [key ?? ""]: null };
    },
    write: (filter) => [
      ...originColumns.filter((column) => filter[column] === null),
      ...answersIn(filter).flatMap(([key, answer]) => (answer === null ? [answerField({ key })] : [])),
    ],
  },
  {
    name: "email",
    read(value, filter) {
      const email = parseEmailFilter(value);
      if (email === undefined) return "must be sent, waiting, failed or unknown, with or without a reason";
      filter.email = email;
    },
    write: ({ email }) => [email && emailFilterValue(email)],
  },
  yesOrNo("invited"),
  {
    name: "friends",
    read(value, filter) {
      if (!/^[1-9]\d{0,8}$/.test(value)) return "must be a whole number from 1";
      filter.friends = Number(value);
    },
    write: ({ friends }) => [friends === undefined ? undefined : String(friends)],
  },
  yesOrNo("milestone"),
  yesOrNo("disposable"),
  day("from"),
  time("from"),
  day("until"),
  time("until"),
];

/**
 * Parses the filters of a URL. Other parameters and empty values, which forms send for unused fields, are ignored.
 *
 * @returns the filter, and a sentence for each value that is not valid: such a value does not filter
 */
export function parseEntryFilter(search: URLSearchParams): { filter: EntryFilter; problems: string[] } {
  const filter: EntryFilter = {};
  const problems: string[] = [];
  for (const { name, isList = false, read } of filterParameters) {
    const values = search.getAll(name).filter((value) => value !== "");
    if (values.length > 1 && !isList) problems.push(`${name} must be given only once.`);
    for (const value of values) {
      const problem = read(value, filter);
      if (problem !== undefined) problems.push(`${name} ${problem}.`);
    }
  }
  for (const [name, value] of search) {
    // Without this, a saved view with an earlier question would show everyone.
    const isAsked = filterParameters.some((parameter) => parameter.name === name);
    if (isAnswerField(name) && value !== "" && !isAsked) problems.push(`${name} is no longer asked.`);
  }
  return { filter, problems };
}

/** Adds a filter to a URL. The opposite of {@link parseEntryFilter}. */
export function writeEntryFilter(filter: EntryFilter, search = new URLSearchParams()): URLSearchParams {
  for (const { name, write } of filterParameters) {
    for (const value of write(filter)) if (value !== undefined) search.append(name, value);
  }
  // Of questions that are no longer asked, in the audience of a letter or a saved view.
  for (const [key, answer] of answersIn(filter)) {
    if (questions.some((question) => question.key === key)) continue;
    for (const value of listOf(answer)) search.append(answerField({ key }), value);
  }
  return search;
}

function choice<Name extends "status" | "confirmation">(
  name: Name,
  labels: Record<NonNullable<EntryFilter[Name]>, string>,
): FilterParameter {
  const choices = Object.keys(labels) as NonNullable<EntryFilter[Name]>[];
  return {
    name,
    read(value, filter) {
      const chosen = choices.find((known) => known === value);
      if (chosen === undefined) return `must be one of ${choices.join(", ")}`;
      filter[name] = chosen;
    },
    write: (filter) => [filter[name]],
  };
}

function yesOrNo(name: "imported" | "invited" | "milestone" | "disposable"): FilterParameter {
  return {
    name,
    read(value, filter) {
      if (value !== "yes" && value !== "no") return "must be yes or no";
      filter[name] = value === "yes";
    },
    write: ({ [name]: isWanted }) => [isWanted === undefined ? undefined : isWanted ? "yes" : "no"],
  };
}

function answersIn({ answers = {} }: EntryFilter) {
  return Object.entries(answers);
}

function answer(question: Question): FilterParameter {
  const { key, answers } = question;
  return {
    name: answerField(question),
    isList: answers !== undefined,
    read(value, filter) {
      if (answers !== undefined && !Object.hasOwn(answers, value)) {
        return `must be one of ${Object.keys(answers).join(", ")}`;
      }
      if (value.length > MAX_ANSWER_LENGTH) return "is too long";
      const all = answers === undefined ? [value] : [...new Set([...listOf(filter.answers?.[key]), value])];
      filter.answers = { ...filter.answers, [key]: all.length === 1 ? value : all };
    },
    write: (filter) => listOf(filter.answers?.[key]),
  };
}

function listOf(answer: string | string[] | null | undefined): string[] {
  return answer === null || answer === undefined ? [] : [answer].flat();
}

/** Longer than any stored value. */
const MAX_ORIGIN_LENGTH = 400;

function origin(name: (typeof originColumns)[number]): FilterParameter {
  return {
    name,
    read(value, filter) {
      if (value.length > MAX_ORIGIN_LENGTH) return "is too long";
      filter[name] = value;
    },
    write: (filter) => [filter[name] ?? undefined],
  };
}

function day(name: "from" | "until"): FilterParameter {
  return {
    name,
    read(value, filter) {
      if (!isDate(value)) return "must be a day, such as 2026-11-21";
      if (name === "until" && filter.from !== undefined && value < filter.from) return "must not be earlier than from";
      filter[name] = value;
    },
    write: (filter) => [filter[name]],
  };
}

function time(day: "from" | "until"): FilterParameter {
  const name = `${day}_time` as const;
  return {
    name,
    read(value, filter) {
      if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(value)) return "must be a time, such as 14:05";
      if (filter[day] === undefined) return `needs a day in ${day}`;
      const isReversed = filter.from === filter.until && filter.from_time !== undefined && value < filter.from_time;
      if (name === "until_time" && isReversed) return "must not be earlier than from_time";
      filter[name] = value;
    },
    write: (filter) => [filter[name]],
  };
}

/** Whether a text is a day of the calendar, from 1970 to 9998. */
function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return time >= 0 && text < "9999" && new Date(time).toISOString().startsWith(text);
}
