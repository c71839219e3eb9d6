import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { ComponentProps } from "react";
import { perSettings, type SiteSettings } from "#app/server/config/settings.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { escapeCode } from "#app/server/http/escape-code.ts";
import { shortDate } from "#app/server/time/british-date.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import type { Question } from "#app/site.ts";
import { letters, referrals } from "#app/switches.ts";
import { wordFor } from "#app/ui/word-for.ts";
import { isConfirmation } from "#app/waitlist/confirmation/confirmation.server.ts";
import {
  type Confirmation,
  confirmations,
  type ShownStatus,
  statuses,
} from "#app/waitlist/confirmation/confirmation.ts";
import { originColumns } from "#app/waitlist/entries/origin-columns.ts";
import { sourceFormat, sourceNames } from "#app/waitlist/entries/sources.ts";
import {
  endOf,
  hasAnswer,
  hasEmail,
  hasFriends,
  hasMilestone,
  hasStatus,
  hasValue,
  isUntouched,
  joined,
  startOf,
} from "#app/waitlist/filter/conditions.server.ts";
import {
  type EmailFilter,
  emailFilterOptions,
  emailFilterValue,
  parseEmailFilter,
} from "#app/waitlist/filter/email-filter.ts";
import { answerField, MAX_ANSWER_LENGTH } from "#app/waitlist/questions/answers.ts";

/** Which entries a list, an export or a letter has; stored with letters. A missing field does not filter. */
export interface EntryFilter {
  status?: ShownStatus | undefined;
  confirmation?: Confirmation | undefined;
  /** By question: an answer, several of which one is enough, part of a text, or null for entries without one. */
  answers?: Record<string, string | string[] | null> | undefined;
  source?: string | undefined;
  /** Entries that an import added, with any source, or the import of this number; or all others. */
  imported?: boolean | number | undefined;
  /** Entries that no one has touched since they were added; `false` does not filter. */
  untouched?: boolean | undefined;
  /** Entries that the bulk action of this number has unsubscribed, and whose people have not decided otherwise since. */
  unsubscribed_by?: number | undefined;
  /** Entries that were sent a letter that is an invitation, or were not. */
  invited?: boolean | undefined;
  /** Entries of people who have brought at least so many friends who count. */
  friends?: number | undefined;
  milestone?: boolean | undefined;
  email?: EmailFilter | undefined;
  disposable?: boolean | undefined;
  /** An exact value; null for entries without one. */
  utm_source?: string | null | undefined;
  utm_campaign?: string | null | undefined;
  referrer_host?: string | null | undefined;
  /** The first and the last day on which entries joined (`YYYY-MM-DD`), in the owner's time zone. */
  from?: string | undefined;
  until?: string | undefined;
  /** The first minute of the first day, and the last one of the last day (`HH:MM`). Absent: the whole day. */
  from_time?: string | undefined;
  until_time?: string | undefined;
}

export interface EntrySelection extends EntryFilter {
  /** Part of an address, or words of a note, as an owner has typed them. */
  search?: string | undefined;
  /** Only people who may get email: they are active, and not waiting to confirm. An export also leaves out suppressed addresses. */
  mayGetEmail?: boolean | undefined;
  /** The time zone of the days in the filter (default: UTC). */
  timeZone?: string | undefined;
  /** For suppressions that end (default: the present). */
  now?: EpochMillis | undefined;
}

/** A filter: how the owner's pages, the API and the database know it. */
export interface Filter {
  /** Its parameter in a URL, and its field in a form. */
  name: string;
  /** What the owner reads for it, and for its values where they are not shown as they are. */
  label: string;
  values?: Readonly<Record<string, string>>;
  /** The words for a value that neither `values` nor `options` has. */
  inWords?(value: string): string;
  /** What the reference of the API says. */
  description: string;
  /** For the API: what a value looks like, where `values` does not say it, and what `read` says of one that does not. */
  format?: { pattern: RegExp; problem: string };
  /** Whether a switch has turned off what it filters by. The API does not have it, stored filters may. */
  isOff?: boolean;
  /** The field of a form, unless it offers `values` or `options`. */
  input?: Pick<ComponentProps<"input">, FilterInput>;
  /** What a select offers instead of `values`: texts by value. `found` is what entries have. */
  options?(current: string, found: string[]): Record<string, string>;
  /** Whether it can be given several times. */
  isList?: boolean;
  /** Which forms have it (default: those of the list and of a letter's audience). It works in every URL and saved view. */
  offeredIn?: "list" | "no form";
  /** Adds the value to a filter. Returns what is wrong with it otherwise. */
  read(value: string, filter: EntryFilter): string | undefined;
  write(filter: EntryFilter): (string | undefined)[];
  /** The condition on `waitlist_emails`; undefined if it does not filter. */
  where(selection: EntrySelection, db: Db): SQL | undefined;
  /** Whether the condition does more than compare a column. SQLite looks at it only where the others hold. */
  isSlow?: boolean;
}

type FilterInput = "type" | "inputMode" | "placeholder" | "maxLength" | "autoCapitalize" | "spellCheck";

const originLabels: Record<(typeof originColumns)[number], string> = {
  utm_campaign: "Campaign",
  utm_source: "Campaign source",
  referrer_host: "Referring site",
};

/** Longer than any stored value. */
const MAX_ORIGIN_LENGTH = 400;

const EMAIL_PROBLEM = "must be sent, waiting, dead or unknown, with or without a reason, such as dead.complaint";
const DAY_PROBLEM = "must be a day, such as 2026-11-21";
const TIME_PROBLEM = "must be a time, such as 14:05";

/** From 1, and less than what D1 stores exactly. */
const numberPattern = /^[1-9]\d{0,8}$/;
const isNumber = (text: string) => numberPattern.test(text);

/**
 * Every filter of the list, in the order of its form and its URL. A new one is a field of `EntryFilter` and an entry here:
 * the audience of letters has it too, unless `offeredIn` says otherwise.
 */
export const filters = perSettings(({ questions, milestones }): readonly Filter[] => [
  {
    ...choice("status", statuses, hasStatus),
    label: "Status",
    description: "Entries with this status.",
    offeredIn: "list",
  },
  {
    ...choice("confirmation", confirmations, (wanted) => isConfirmation[wanted]),
    label: "Confirmed",
    description: "Whether the address is confirmed.",
  },
  ...questions.map(answer),
  {
    name: "source",
    label: "Source",
    values: sourceNames,
    description: "Entries from this source.",
    format: sourceFormat,
    options: (current, found) =>
      Object.fromEntries(
        [...new Set([...found, current])]
          .filter((value) => value !== "")
          .map((value) => [value, wordFor(sourceNames, value)]),
      ),
    read(value, filter) {
      if (!sourceFormat.pattern.test(value)) return sourceFormat.problem;
      filter.source = value;
    },
    write: ({ source }) => [source],
    where: ({ source }) => (source === undefined ? undefined : eq(waitlistEmails.source, source)),
  },
  {
    name: "imported",
    label: "Imported",
    values: { yes: "Yes", no: "No" },
    description: "Whether an import added them: `yes`, `no`, or the number of the import.",
    format: { pattern: /^(yes|no|[1-9]\d{0,8})$/, problem: "must be yes, no or the number of an import" },
    options: (current) => ({ yes: "Yes", no: "No", ...(isNumber(current) ? { [current]: `import ${current}` } : {}) }),
    read(value, filter) {
      if (value !== "yes" && value !== "no" && !isNumber(value)) return "must be yes, no or the number of an import";
      filter.imported = isNumber(value) ? Number(value) : value === "yes";
    },
    write: ({ imported }) => [typeof imported === "boolean" ? (imported ? "yes" : "no") : imported?.toString()],
    where({ imported }) {
      if (imported === undefined) return undefined;
      const { import_id } = waitlistEmails;
      return typeof imported === "number" ? eq(import_id, imported) : hasValue(import_id, imported);
    },
  },
  {
    name: "untouched",
    label: "Untouched since",
    values: { yes: "Yes" },
    description: `Entries that no one has touched since they were added: nothing was changed, ${letters ? "there is no letter to them, " : ""}${referrals ? "there is no friend, " : ""}and there is no email but the welcome email.`,
    offeredIn: "no form",
    read(value, filter) {
      if (value !== "yes") return "must be yes";
      filter.untouched = true;
    },
    write: ({ untouched }) => [untouched ? "yes" : undefined],
    where: ({ untouched }) => (untouched ? isUntouched : undefined),
    isSlow: true,
  },
  {
    name: "unsubscribed_by",
    label: "Unsubscribed by",
    description: "Entries that the bulk action of this number has unsubscribed.",
    format: { pattern: numberPattern, problem: "must be the number of a bulk action" },
    input: { inputMode: "numeric", maxLength: 9 },
    options: (current) => ({ [current]: `bulk action ${current}` }),
    offeredIn: "no form",
    read(value, filter) {
      if (!isNumber(value)) return "must be the number of a bulk action";
      filter.unsubscribed_by = Number(value);
    },
    write: ({ unsubscribed_by }) => [unsubscribed_by?.toString()],
    where: ({ unsubscribed_by }) =>
      unsubscribed_by === undefined
        ? undefined
        : and(eq(waitlistEmails.bulk_action_id, unsubscribed_by), eq(waitlistEmails.status, "unsubscribed")),
  },
  {
    ...yesOrNo("invited", (wanted) => hasValue(waitlistEmails.invited_at, wanted), "Not yet"),
    label: "Invited",
    description: "Whether they were sent an invitation.",
    isOff: !letters,
  },
  {
    name: "friends",
    label: "Friends counted, at least",
    description: "Entries of people who brought at least this many friends.",
    format: { pattern: numberPattern, problem: "must be a whole number from 1" },
    input: { inputMode: "numeric", placeholder: "Any", maxLength: 9 },
    ...(referrals ? {} : { offeredIn: "no form", isOff: true }),
    read(value, filter) {
      if (!isNumber(value)) return "must be a whole number from 1";
      filter.friends = Number(value);
    },
    write: ({ friends }) => [friends === undefined ? undefined : String(friends)],
    where: ({ friends }, db) => (friends === undefined ? undefined : hasFriends(db, friends)),
    isSlow: true,
  },
  {
    ...yesOrNo("milestone", hasMilestone),
    label: "Milestone reached",
    description: `Whether they reached a milestone${milestones.length === 0 ? "" : " with their friends"}.`,
    ...(referrals && milestones.length > 0 ? {} : { offeredIn: "no form", isOff: !referrals }),
    isSlow: true,
  },
  {
    name: "email",
    label: "Email",
    description:
      "Entries with an email in this state: `sent`, `waiting`, `dead` or `unknown`, and a reason after a dot, such as `dead.complaint`.",
    format: { pattern: /^(sent|waiting|dead|unknown)(\.[a-z-]+)?$/, problem: EMAIL_PROBLEM },
    options: emailFilterOptions,
    offeredIn: "list",
    read(value, filter) {
      const email = parseEmailFilter(value);
      if (email === undefined) return EMAIL_PROBLEM;
      filter.email = email;
    },
    write: ({ email }) => [email && emailFilterValue(email)],
    where: ({ email }, db) => (email === undefined ? undefined : hasEmail(db, email)),
    isSlow: true,
  },
  {
    ...yesOrNo("disposable", (wanted) => eq(waitlistEmails.disposable, wanted)),
    label: "Throwaway address",
    description: "Whether the address is a throwaway one.",
  },
  { ...origin("utm_source"), description: "The campaign’s source, in upper or lower case." },
  { ...origin("utm_campaign"), description: "The campaign, in upper or lower case." },
  { ...origin("referrer_host"), description: "The site that they came from." },
  without(questions),
  {
    ...day("from"),
    label: "Joined from",
    description: "Joined on this day or later, such as 2026-11-21, in the owner’s time zone.",
    where: ({ from, from_time, timeZone = "UTC" }) =>
      from === undefined ? undefined : sql`${joined} >= ${startOf(from, from_time, timeZone)}`,
  },
  { ...time("from"), label: "Joined from, time", description: "The first minute of that day, such as 09:30." },
  {
    ...day("until"),
    label: "Joined until",
    description: "The last day on which they joined.",
    where: ({ until, until_time, timeZone = "UTC" }) =>
      until === undefined ? undefined : sql`${joined} < ${endOf(until, until_time, timeZone)}`,
  },
  { ...time("until"), label: "Joined until, time", description: "The last minute of that day." },
]);

/** What filters of one kind have in common. */
type Kind = Omit<Filter, "label" | "description">;

function choice<Name extends "status" | "confirmation">(
  name: Name,
  values: Record<NonNullable<EntryFilter[Name]>, string>,
  where: (wanted: NonNullable<EntryFilter[Name]>, now: EpochMillis) => SQL | undefined,
): Kind {
  const choices = Object.keys(values) as NonNullable<EntryFilter[Name]>[];
  return {
    name,
    values,
    read(value, filter) {
      const chosen = choices.find((known) => known === value);
      if (chosen === undefined) return `must be one of ${choices.join(", ")}`;
      filter[name] = chosen;
    },
    write: (filter) => [filter[name]],
    where: ({ [name]: wanted, now = Date.now() }) => (wanted === undefined ? undefined : where(wanted, now)),
  };
}

/** The fields that are true or false. */
type YesOrNo = {
  [Name in keyof EntryFilter]-?: NonNullable<EntryFilter[Name]> extends boolean ? Name : never;
}[keyof EntryFilter];

function yesOrNo(name: YesOrNo, where: (wanted: boolean, db: Db) => SQL, no = "No"): Kind {
  return {
    name,
    values: { yes: "Yes", no },
    read(value, filter) {
      if (value !== "yes" && value !== "no") return "must be one of yes, no";
      filter[name] = value === "yes";
    },
    write: ({ [name]: wanted }) => [wanted === undefined ? undefined : wanted ? "yes" : "no"],
    where: ({ [name]: wanted }, db) => (wanted === undefined ? undefined : where(wanted, db)),
  };
}

/** One choice or several, or part of a text: in any case (of ASCII letters). */
function answer({ key, label, answers: values }: Question): Filter {
  const givenIn = ({ answers }: EntryFilter) => [answers?.[key] ?? []].flat();
  return {
    name: answerField({ key }),
    label,
    ...(values === undefined ? { input: { maxLength: MAX_ANSWER_LENGTH } } : { values, isList: true }),
    description:
      values === undefined
        ? `Part of the answer to “${escapeCode(label)}”.`
        : `The answer to “${escapeCode(label)}”. Can be given several times.`,
    read(value, filter) {
      if (values !== undefined && !Object.hasOwn(values, value)) {
        return `must be one of ${Object.keys(values).join(", ")}`;
      }
      if (value.length > MAX_ANSWER_LENGTH) return `must have at most ${MAX_ANSWER_LENGTH} characters`;
      const all = values === undefined ? [value] : [...new Set([...givenIn(filter), value])];
      filter.answers = { ...filter.answers, [key]: all.length === 1 ? value : all };
    },
    write: givenIn,
    where: ({ answers }) => hasAnswer(key, answers?.[key], values === undefined),
    isSlow: true,
  };
}

function without(questions: SiteSettings["questions"]): Filter {
  const labels = questions.map((question) => [answerField(question), question.label]);
  const values: Record<string, string> = { ...originLabels, ...Object.fromEntries(labels) };
  return {
    name: "without",
    label: "Without",
    values,
    description: "Entries without this. Can be given several times.",
    isList: true,
    read(value, filter) {
      const column = originColumns.find((known) => known === value);
      const key = questions.find((question) => answerField(question) === value)?.key;
      if (column === undefined && key === undefined) return `must be one of ${Object.keys(values).join(", ")}`;
      const given = column === undefined ? filter.answers?.[key ?? ""] : filter[column];
      if (given !== undefined && given !== null) return `cannot be combined with ${value}`;
      if (column !== undefined) filter[column] = null;
      else filter.answers = { ...filter.answers, [key ?? ""]: null };
    },
    write: (filter) => [
      ...originColumns.filter((column) => filter[column] === null),
      ...Object.entries(filter.answers ?? {}).flatMap(([key, given]) => (given === null ? [answerField({ key })] : [])),
    ],
    // The filters of the columns and answers apply it.
    where: () => undefined,
  };
}

/** Names of campaigns in any case: people retype links. */
function origin(name: (typeof originColumns)[number]): Omit<Filter, "description"> {
  const column = waitlistEmails[name];
  return {
    name,
    label: originLabels[name],
    input: { maxLength: MAX_ORIGIN_LENGTH, autoCapitalize: "none", spellCheck: false },
    read(value, filter) {
      if (value.length > MAX_ORIGIN_LENGTH) return `must have at most ${MAX_ORIGIN_LENGTH} characters`;
      filter[name] = value;
    },
    write: (filter) => [filter[name] ?? undefined],
    where({ [name]: value }) {
      if (value === undefined) return undefined;
      return value === null ? isNull(column) : sql`${column} = ${value} COLLATE NOCASE`;
    },
  };
}

function day(name: "from" | "until"): Omit<Kind, "where"> {
  return {
    name,
    format: { pattern: /^\d{4}-\d\d-\d\d$/, problem: DAY_PROBLEM },
    input: { type: "date" },
    inWords: shortDate,
    read(value, filter) {
      if (!isDate(value)) return DAY_PROBLEM;
      if (name === "until" && filter.from !== undefined && value < filter.from) return "must not be earlier than from";
      filter[name] = value;
    },
    write: (filter) => [filter[name]],
  };
}

function time(ofDay: "from" | "until"): Kind {
  const name = `${ofDay}_time` as const;
  return {
    name,
    format: { pattern: /^\d\d:\d\d$/, problem: TIME_PROBLEM },
    input: { type: "time" },
    offeredIn: "list",
    read(value, filter) {
      if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(value)) return TIME_PROBLEM;
      if (filter[ofDay] === undefined) return `needs a day in ${ofDay}`;
      const isReversed = filter.from === filter.until && filter.from_time !== undefined && value < filter.from_time;
      if (name === "until_time" && isReversed) return "must not be earlier than from_time";
      filter[name] = value;
    },
    write: (filter) => [filter[name]],
    // The filter of its day applies the time.
    where: () => undefined,
  };
}

/** Whether a text is a day of the calendar, from 1970 to 9998. */
function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return time >= 0 && text < "9999" && new Date(time).toISOString().startsWith(text);
}
