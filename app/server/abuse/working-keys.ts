/*
 * Hashes of keys that worked lately in this isolate, those used last at the end. Many programs share an IP address with
 * strangers, such as those of Zapier: a block of that address must not refuse them. It lets a key be looked up, not pass.
 */
const working = new Set<string>();

const MAX_KEYS = 100;

/** @param hash null for a text that is no key */
export function hasWorked(hash: string | null): boolean {
  return hash !== null && working.has(hash);
}

export function rememberKey(hash: string): void {
  working.delete(hash);
  working.add(hash);
  const [oldest] = working;
  if (working.size > MAX_KEYS && oldest !== undefined) working.delete(oldest);
}

export function forgetKey(hash: string | null): void {
  if (hash !== null) working.delete(hash);
}
