/** Stands for all names that are not stored. No stored name begins with a bracket. */
export const OTHER = "(other)";

/** What visits through a tagged link are counted by: `newsletter > autumn_fair`, or the source alone. No storable name has a `>`. */
export function linkName(source: string, campaign: string | null): string {
  return campaign ? `${source} > ${campaign}` : source;
}

/** At most 64 characters. Visitors choose names. This keeps out addresses, markup and long texts. */
const storable = /^[\p{L}\p{N}]([\p{L}\p{N} _.:+~/|&,-]{0,62}[\p{L}\p{N}_.:+~/|&,-])?$/u;

/** Whether visits are counted under a name, or as {@link OTHER}. */
export function isStorableName(name: string): boolean {
  return storable.test(name);
}
