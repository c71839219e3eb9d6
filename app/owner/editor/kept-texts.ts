import type { EpochMillis, Millis } from "#app/server/time/units.ts";

/* What was typed and is not saved yet, in the browser's storage. */

const PREFIX = "owner-typed:";

const LIFETIME: Millis = 12 * 3_600_000;

/** Characters, of all kept texts together. */
const MOST = 1_048_576;

export interface KeptText {
  key: string;
  /** The form that it was typed into. */
  form: string;
  /** A hash of the owner's id. */
  owner: string;
  at: EpochMillis;
  /** By the names of their fields. */
  values: Record<string, string>;
}

/** A key for what is typed into one page, so that nothing replaces what was kept before. */
export function newKey(): string {
  return PREFIX + Math.random().toString(36).slice(2);
}

/** @throws if the storage is full or forbidden */
export function keep({ key, ...text }: KeptText): void {
  const value = JSON.stringify(text);
  const others = keys().reduce(
    (sum, other) => sum + (other === key ? 0 : (localStorage.getItem(other)?.length ?? 0)),
    0,
  );
  if (others + value.length > MOST) throw new Error("too much is kept");
  localStorage.setItem(key, value);
}

/** All that is kept of an owner, the newest first. Deletes what is older than 12 hours or another owner's. */
export function listKept(owner: string): KeptText[] {
  const kept = keys().flatMap((key) => {
    const text = parse(key);
    const age = Date.now() - (text?.at ?? 0);
    if (text !== null && text.owner === owner && age < LIFETIME) return text;
    forget(key);
    return [];
  });
  return kept.sort((a, b) => b.at - a.at);
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing is kept where storage is forbidden.
  }
}

export function forgetAll(): void {
  for (const key of keys()) forget(key);
}

function keys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  } catch {
    return [];
  }
}

function parse(key: string): KeptText | null {
  try {
    const { form, owner, at, values } = JSON.parse(localStorage.getItem(key) ?? "");
    const isText = typeof form === "string" && typeof at === "number" && typeof values === "object" && values !== null;
    return isText ? { key, form, owner, at, values } : null;
  } catch {
    return null;
  }
}
