import { createContext } from "react";

/** The element in which a document keeps its reference. */
export const ERROR_REFERENCE_META = "failure-reference";

/**
 * The reference under which the failure shown on this page stands in the log, or null.
 *
 * React Router replaces every server error by one fixed message, so the reference goes a way of its own: the server
 * provides it while it renders, the document keeps it in a meta element, and the browser reads it from there.
 */
export const ErrorReference = createContext(fromDocument());

function fromDocument(): string | null {
  if (typeof document === "undefined") return null;
  return document.querySelector(`meta[name=${ERROR_REFERENCE_META}]`)?.getAttribute("content") ?? null;
}
