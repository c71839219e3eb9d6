import { formatNumber } from "#app/owner/ui/labels.ts";
import type { LetterAudience } from "#app/server/db/schema/letters.server.ts";
import { activeFilters, filterProblem, writeEntryFilter } from "#app/waitlist/filter/entry-filter.server.ts";
import { type EntryFilter, filters } from "#app/waitlist/filter/filters.server.ts";
import { fillGreetings } from "#app/waitlist/questions/greetings.server.ts";

/** The filters that an audience can have. Its people are active in any case. */
function audienceFilters() {
  return filters().filter(({ name }) => name !== "status");
}

/** Those that its form offers. It has the others only if the letter was made from a list with them. */
export function offeredFilters() {
  return audienceFilters().filter(({ offeredIn }) => offeredIn === undefined);
}

export function otherFilters() {
  return audienceFilters().filter(({ offeredIn }) => offeredIn !== undefined);
}

/** What a form about an audience says, with its values to show it again, and with problems in sentences by field. */
export function readAudience(form: FormData | URLSearchParams) {
  const values = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === "string") values.append(name, value.trim());
  const problems: Record<string, string> = {};
  const filter: EntryFilter = {};
  for (const { name, read } of audienceFilters()) {
    for (const value of values.getAll(name).filter((given) => given !== "")) {
      const problem = read(value, filter);
      if (problem !== undefined) problems[name] = `This ${filterProblem(name, problem)}.`;
    }
  }
  const [first = "", sentLetter = "", notSentLetter = ""] = ["first", "sent", "not-sent"].map(
    (name) => values.get(name) ?? "",
  );
  if (first !== "" && !isPositive(first)) problems["first"] = "This must be a whole number from 1.";
  if (sentLetter !== "" && !isPositive(sentLetter)) problems["sent"] = "Choose one of the letters.";
  if (notSentLetter !== "" && !isPositive(notSentLetter)) problems["not-sent"] = "Choose one of the letters.";
  const newestEntry = values.get("newest") ?? "";
  const audience: LetterAudience = {
    filter,
    ...(isPositive(newestEntry) ? { newestEntry: Number(newestEntry) } : {}),
    ...(sentLetter === "" ? {} : { sentLetter: Number(sentLetter) }),
    ...(notSentLetter === "" ? {} : { notSentLetter: Number(notSentLetter) }),
    ...(first === "" ? {} : { first: Number(first) }),
  };
  return { audience, isInvitation: values.get("invitation") === "yes", values, problems };
}

/** The opposite of {@link readAudience}. */
export function writeAudience(audience: LetterAudience, isInvitation: boolean): URLSearchParams {
  const values = writeEntryFilter(audience.filter);
  if (audience.sentLetter !== undefined) values.set("sent", String(audience.sentLetter));
  if (audience.notSentLetter !== undefined) values.set("not-sent", String(audience.notSentLetter));
  if (audience.newestEntry !== undefined) values.set("newest", String(audience.newestEntry));
  if (audience.first !== undefined) values.set("first", String(audience.first));
  if (isInvitation) values.set("invitation", "yes");
  return values;
}

/** The parts of a filter that a letter's audience cannot have, in words. People who may get email are always meant. */
export function leftOut(filter: EntryFilter): string[] {
  const { audience } = readAudience(writeEntryFilter(filter));
  const kept = writeEntryFilter(audience.filter);
  return activeFilters(filter)
    .filter(({ name, value }) => kept.getAll(name).join() !== value && !kept.getAll(name).includes(value))
    .filter(({ name, value }) => name !== "status" || value !== "active")
    .map(({ text }) => text);
}

/** More than any list has, and less than what D1 stores exactly. */
function isPositive(text: string): boolean {
  return /^[1-9]\d{0,8}$/.test(text);
}

/**
 * Whom a letter is for, in words; empty for everyone.
 *
 * @param subjects of the letters that it names, by id
 */
export function describeAudience(
  audience: LetterAudience,
  subjects: ReadonlyMap<number, string> = new Map(),
): string[] {
  const { filter, sentLetter, notSentLetter, first, newestEntry } = audience;
  const named = (id: number) => {
    const subject = fillGreetings(subjects.get(id) ?? "", null);
    return subject === "" ? `letter ${id}` : `“${subject}”`;
  };
  return [
    ...activeFilters(filter).map(({ text }) => text),
    ...(sentLetter === undefined ? [] : [`Sent ${named(sentLetter)}`]),
    ...(notSentLetter === undefined ? [] : [`Not sent ${named(notSentLetter)}`]),
    ...(newestEntry === undefined ? [] : [`On the list up to entry ${formatNumber(newestEntry)}`]),
    ...(first === undefined ? [] : [`Limit: ${formatNumber(first)} (earliest sign-ups first)`]),
  ];
}
