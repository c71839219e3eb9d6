import { createContext } from "react";

/**
 * The log reference of the error shown on this page, or null.
 *
 * React Router replaces every server error with a fixed message, so the reference travels separately: the browser reads it
 * from the page that the server rendered.
 */
export const ErrorReference = createContext(textOf("[data-reference]"));

/** What visitors read if this page failed because D1 refuses queries; otherwise null. Travels the same way. */
export const LimitNotice = createContext(textOf("[data-limit]"));

function textOf(selector: string): string | null {
  return typeof document === "undefined" ? null : (document.querySelector(selector)?.textContent ?? null);
}
