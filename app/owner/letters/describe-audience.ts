import { activeFilters } from "#app/owner/ui/filter-labels.ts";
import { formatNumber } from "#app/owner/ui/labels.ts";
import type { LetterAudience } from "#app/server/db/schema/letters.server.ts";

/** Whom a letter is for, in words; empty for everyone. */
export function describeAudience({ filter, notInvited, notSentLetter, first }: LetterAudience): string[] {
  return [
    ...activeFilters(filter).map(({ text }) => text),
    ...(notInvited ? ["Not invited yet"] : []),
    ...(notSentLetter === undefined ? [] : [`Not sent letter ${notSentLetter}`]),
    ...(first === undefined ? [] : [`At most ${formatNumber(first)}, the earliest first`]),
  ];
}
