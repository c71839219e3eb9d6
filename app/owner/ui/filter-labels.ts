import type { EntryFilter } from "#app/server/db/schema/entry-filter.ts";
import { type Question, questions } from "#app/site.ts";
import { wordFor } from "#app/ui/word-for.ts";
import { confirmations } from "#app/waitlist/confirmation/confirmation.ts";
import { sourceNames } from "#app/waitlist/entries/sources.ts";
import { emailFilterOptions } from "#app/waitlist/filter/email-filter.ts";
import { parseEntryFilter, statuses, writeEntryFilter } from "#app/waitlist/filter/entry-filter.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";

function labelOf({ label, answers }: Question) {
  return answers === undefined ? { label } : { label, values: answers };
}

const yesOrNo = { yes: "Yes", no: "No" };

const origins = { utm_campaign: "Campaign", utm_source: "Campaign source", referrer_host: "Referring site" };

const withoutLabels = {
  ...origins,
  ...Object.fromEntries(questions.map((question) => [answerField(question), question.label])),
};

/** What the owner reads for each filter of the list, and for its values where they are not shown as they are. */
export const filterLabels: Record<string, { label: string; values?: Readonly<Record<string, string>> }> = {
  status: { label: "Status", values: statuses },
  confirmation: { label: "Confirmed", values: confirmations },
  ...Object.fromEntries(questions.map((question) => [answerField(question), labelOf(question)])),
  source: { label: "Source", values: sourceNames },
  imported: { label: "Imported", values: yesOrNo },
  utm_campaign: { label: origins.utm_campaign },
  utm_source: { label: origins.utm_source },
  referrer_host: { label: origins.referrer_host },
  without: { label: "Without", values: withoutLabels },
  email: { label: "Email" },
  invited: { label: "Invited", values: { yes: "Yes", no: "Not yet" } },
  friends: { label: "Friends counted, at least" },
  milestone: { label: "Milestone reached", values: yesOrNo },
  disposable: { label: "Throwaway address", values: yesOrNo },
  from: { label: "Joined from" },
  until: { label: "Joined until" },
  from_time: { label: "Joined from, time" },
  until_time: { label: "Joined until, time" },
};

const listWords = new Intl.ListFormat("en-GB", { type: "disjunction" });

/**
 * A problem that a filter has, in the words of its page: `must not be earlier than from` is about “Joined from”.
 *
 * @param problem what {@link filterParameters} say after the name
 */
export function filterProblem(name: string, problem: string): string {
  const labelOf = (other: string) => (Object.hasOwn(filterLabels, other) ? `“${filterLabels[other]?.label}”` : other);
  const { values } = filterLabels[name] ?? {};
  const choicesOf = (names: string) =>
    names
      .split(", ")
      .map((value) => wordFor(values ?? {}, value))
      .join(", ");
  return problem
    .replace(/(?<=earlier than |combined with |a day in )\w+/g, labelOf)
    .replace(/(?<=must be one of ).*$/, choicesOf);
}

export interface ActiveFilter {
  name: string;
  value: string;
  /** Such as `Status: Active`, or `Role: Stallholder or Both`. */
  text: string;
  /** The filter without this part. */
  rest: EntryFilter;
}

export function activeFilters(filter: EntryFilter): ActiveFilter[] {
  const search = writeEntryFilter(filter);
  return [...new Set(search.keys())].flatMap((name) => {
    const given = search.getAll(name);
    const parts = name === "without" ? given.map((value) => [value]) : [given];
    return parts.map((values) => {
      const rest = new URLSearchParams(search);
      for (const value of values) rest.delete(name, value);
      return { name, value: values.join(), text: inWords(name, values), rest: parseEntryFilter(rest).filter };
    });
  });
}

/** Several values are answers to one question, of which one is enough. */
function inWords(name: string, given: string[]): string {
  const { label, values = {} } = filterLabels[name] ?? { label: name };
  const words = given.map((value) => wordFor(name === "email" ? emailFilterOptions(value) : values, value));
  return `${label}: ${listWords.format(words)}`;
}
