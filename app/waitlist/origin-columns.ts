/** The columns about where an entry came from, which the list's filter can require to be empty. */
export const originColumns = ["utm_source", "utm_campaign", "referrer_host"] as const;

/** Each name once, ignoring case, in the spelling that comes first. */
export function oneSpellingEach(names: string[]): string[] {
  const spellings = new Map<string, string>();
  for (const name of names) if (!spellings.has(name.toLowerCase())) spellings.set(name.toLowerCase(), name);
  return [...spellings.values()];
}
