/** Stands for all names that are not stored. No stored name begins with a bracket. */
export const OTHER = "(other)";

/** At most 64 characters. Visitors choose names. This keeps out addresses, markup and long texts. */
const storable = /^[\p{L}\p{N}]([\p{L}\p{N} _.:+~/|&,-]{0,62}[\p{L}\p{N}_.:+~/|&,-])?$/u;

/** Whether visits are counted under a name, or as {@link OTHER}. */
export function isStorableName(name: string): boolean {
  return storable.test(name);
}
