import { OTHER } from "#app/server/db/page-visits.server.ts";
import { campaignValue } from "#app/waitlist/campaign.ts";

/** Characters. */
export const MAX_NAME_LENGTH = 64;

/** Visitors choose names. This keeps out addresses, markup and long texts. */
const storable = /^[\p{L}\p{N}]([\p{L}\p{N} _.:+~/|&,-]{0,62}[\p{L}\p{N}_.:+~/|&,-])?$/u;

/** Whether visits are counted under a name, or as {@link OTHER}. */
export function isStorableName(name: string): boolean {
  return storable.test(name);
}

/** The name as entries have it, or {@link OTHER}; null if it is empty. */
export function storableName(received: string): string | null {
  // Cleaning takes longer than all the rest, and most names need none.
  if (isStorableName(received)) return received;
  const name = campaignValue(received);
  return name === null || isStorableName(name) ? name : OTHER;
}
