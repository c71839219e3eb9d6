import { createContext } from "react";

/** Name of the meta element that holds the reference. */
export const ERROR_REFERENCE_META = "failure-reference";

/**
 * The log reference of the error shown on this page, or null.
 *
 * React Router replaces every server error with a fixed message, so the reference travels separately: the server
 * renders it into a meta element, which the browser reads.
 */
export const ErrorReference = createContext(fromDocument());

function fromDocument(): string | null {
  if (typeof document === "undefined") return null;
  return document.querySelector(`meta[name=${ERROR_REFERENCE_META}]`)?.getAttribute("content") ?? null;
}
