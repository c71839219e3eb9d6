import { createContext, use } from "react";
import { useLocation } from "react-router";

/**
 * The log reference of the error shown on this page, or null.
 *
 * React Router replaces every server error with a fixed message, so the reference travels separately: the browser reads it
 * from the page that the server rendered.
 */
export const ErrorReference = createContext(textOf("[data-reference]"));

/** What visitors read if this page failed because D1 refuses queries; otherwise null. Travels the same way. */
export const LimitNotice = createContext(textOf("[data-limit]"));

/** What the server says of its failure. Nothing on pages that fail in the browser, which nobody logs. */
export function useServerFailure(): { reference: string | null; limit: string | null } {
  const [reference, limit] = [use(ErrorReference), use(LimitNotice)];
  const isFromServer = useLocation().key === documentKey;
  return isFromServer ? { reference, limit } : { reference: null, limit: null };
}

/** The key of the location that the server rendered, as React Router reads it. */
const documentKey: string = (typeof history === "undefined" ? null : history.state?.key) ?? "default";

function textOf(selector: string): string | null {
  return typeof document === "undefined" ? null : (document.querySelector(selector)?.textContent ?? null);
}
