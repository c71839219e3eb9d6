import { createContext } from "react";

/** Name of the meta element that holds the reference. */
export const ERROR_REFERENCE_META = "failure-reference";

/** Name of the meta element that says when the database accepts queries again. */
export const QUOTA_END_META = "failure-until";

/**
 * The log reference of the error shown on this page, or null.
 *
 * React Router replaces every server error with a fixed message, so the reference travels separately: the server
 * renders it into a meta element, which the browser reads.
 */
export const ErrorReference = createContext(fromDocument(ERROR_REFERENCE_META));

/** When the database accepts queries again, if that is why this page failed; otherwise null. Travels the same way. */
export const QuotaEnd = createContext(fromDocument(QUOTA_END_META));

function fromDocument(name: string): string | null {
  if (typeof document === "undefined") return null;
  return document.querySelector(`meta[name=${name}]`)?.getAttribute("content") ?? null;
}
