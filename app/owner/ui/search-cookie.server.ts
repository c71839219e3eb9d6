import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { ownerCookie } from "#app/owner/ui/owner-cookie.ts";

/*
 * The search is stored in a cookie for an hour. This keeps addresses out of URLs, and leaves nothing on the server that
 * an erasure would have to find. The search applies only where the URL has the cookie's key: without the key, the list shows
 * everyone.
 */

/** Seconds. */
const SEARCH_MAX_AGE = 3_600;

/** The maximum length of an address. */
const MAX_SEARCH_LENGTH = 254;

/** What comes along when an address is pasted. */
const ends = /^[\s\p{DI}]+|[\s\p{DI}]+$/gu;

/** Stores the text that was typed. @returns its key; undefined if it is empty, which ends the search */
export function storeSearch(c: OwnerContext, typed: unknown): string | undefined {
  const text = typeof typed === "string" ? typed.replace(ends, "").slice(0, MAX_SEARCH_LENGTH) : "";
  if (text === "") {
    clearSearch(c);
    return undefined;
  }
  const key = crypto.randomUUID().slice(0, 8);
  const { name, options } = cookieOf(c);
  setCookie(c, name, `${key}:${text}`, { ...options, maxAge: SEARCH_MAX_AGE });
  return key;
}

/** The text of a search; undefined if it has expired, or another one has replaced it. */
export function readSearch(c: OwnerContext, key: string): string | undefined {
  const stored = getCookie(c, cookieOf(c).name);
  return stored?.startsWith(`${key}:`) ? stored.slice(key.length + 1, key.length + 1 + MAX_SEARCH_LENGTH) : undefined;
}

export function clearSearch(c: OwnerContext): void {
  const { name, options } = cookieOf(c);
  deleteCookie(c, name, options);
}

function cookieOf(c: OwnerContext) {
  return ownerCookie("owner-search", c.var.app.config.SITE_URL, "Strict");
}
