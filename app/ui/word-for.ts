/**
 * What people read for a value; the value itself where `words` has none. Own properties only: a value that anyone may send
 * can be `constructor`.
 */
export function wordFor(words: Readonly<Record<string, string>>, value: string): string {
  return (Object.hasOwn(words, value) ? words[value] : undefined) ?? value;
}
