/** The list of entries with filters: the people behind a number. */
export function listHref(filters: Record<string, string>): string {
  return `/owner/entries?${new URLSearchParams(filters)}`;
}
