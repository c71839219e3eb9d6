import type { EntryFilter } from "#app/server/db/schema/entry-filter.ts";
import { type Question, questions } from "#app/site.ts";
import { wordFor } from "#app/ui/word-for.ts";
import { confirmations } from "#app/waitlist/confirmation.ts";
import { emailFilterOptions } from "#app/waitlist/email-filter.ts";
import { parseEntryFilter, statuses, writeEntryFilter } from "#app/waitlist/entry-filter.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { sourceNames } from "#app/waitlist/sources.ts";

function labelOf({ label, answers }: Question) {
  return answers === undefined ? { label } : { label, values: answers };
}

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
  utm_campaign: { label: origins.utm_campaign },
  utm_source: { label: origins.utm_source },
  referrer_host: { label: origins.referrer_host },
  without: { label: "Without", values: withoutLabels },
  email: { label: "Email" },
  disposable: { label: "Throwaway address", values: { yes: "Yes", no: "No" } },
  from: { label: "Joined from" },
  until: { label: "Joined until" },
  from_time: { label: "Joined from, time" },
  until_time: { label: "Joined until, time" },
};

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
  /** Such as `Status: Active`. */
  text: string;
  /** The filter without this part. */
  rest: EntryFilter;
}

/** The parts of a filter, in words. */
export function activeFilters(filter: EntryFilter): ActiveFilter[] {
  const search = writeEntryFilter(filter);
  return Array.from(search, ([name, value]) => {
    const { label, values } = filterLabels[name] ?? { label: name };
    const words = name === "email" ? emailFilterOptions(value) : values;
    const rest = new URLSearchParams(search);
    rest.delete(name, value);
    return { name, value, text: `${label}: ${wordFor(words ?? {}, value)}`, rest: parseEntryFilter(rest).filter };
  });
}
