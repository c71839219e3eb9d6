/** The columns about where an entry came from, which the list's filter can require to be empty. */
export const originColumns = ["utm_source", "utm_campaign", "referrer_host"] as const;

/** Each name once, in the spelling that comes first. As in SQL's NOCASE, the case of A to Z makes no difference. */
export function oneSpellingEach(names: string[]): string[] {
  const spellings = new Map<string, string>();
  for (const name of names) {
    const key = name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    if (!spellings.has(key)) spellings.set(key, name);
  }
  return [...spellings.values()];
}
