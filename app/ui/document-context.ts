import { createContext, type ReactElement } from "react";

/** Values for the document that the server renders. Placeholders are those of `PageParts`. */
export interface DocumentContextValue {
  /** CSP nonce of inline scripts and styles. */
  nonce: string;
  /** Placeholder for the critical styles. */
  styles: string;
  /** Placeholder for the JSON-LD. */
  structuredData: string;
  /** Placeholder for the script that defers hydration. */
  hydrationScript: string;
  /** Renders without the hydration boundary, in which React swallows errors. */
  skipBoundary: boolean;
  /** Placeholder for pre-rendered content; see `markupOf`. */
  placeholderFor: (content: ReactElement, data?: object) => string;
}

/** Null in the browser. */
export const DocumentContext = createContext<DocumentContextValue | null>(null);
