import type { GroupKind, StatsGroup } from "#app/features/overview/group-stats.server.ts";
import { questions } from "#app/site.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";

/** The first and last day of a period (`YYYY-MM-DD`, in the owner's time zone). */
export interface Dates {
  from: string;
  until: string;
}

/** The list with the people behind a number. Null for groups that the list cannot show: all others, and pages. */
export function groupHref(kind: GroupKind, { name, people }: StatsGroup, dates: Dates): string | null {
  if (name === null || kind === "page" || people === 0) return null;
  const question = questions.find((asked) => answerField(asked) === kind);
  // The list cannot show everyone who answered in their own words, or with an answer that is no longer offered.
  if (question !== undefined && name !== "" && !Object.hasOwn(question.answers ?? {}, name)) return null;
  return listHref({ ...(name === "" ? { without: kind } : { [kind]: name }), ...dates });
}

export function listHref(filters: Record<string, string>): string {
  return `/owner/entries?${new URLSearchParams(filters)}`;
}
