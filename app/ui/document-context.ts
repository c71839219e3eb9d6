import { createContext, type ReactElement } from "react";

/** What the server knows of the document it renders. */
export interface DocumentContextValue {
  /** Lets inline scripts and styles of this document through its content policy. */
  nonce: string;
  /** The mark (see `PageParts`) of the styles in the document itself. */
  styles: string;
  /** The mark of the organisation and the site as structured data (JSON-LD). */
  structuredData: string;
  /** The mark of the script that starts the application. */
  starter: string;
  /** Without the boundary in which React's renderer leaves out what throws, so that it throws. */
  isUnbounded: boolean;
  /** The mark of content that is written out already; takes what `markupOf` takes. */
  markOf: (content: ReactElement, facts?: object) => string;
}

/** Null in the browser, where the document is there already. */
export const DocumentContext = createContext<DocumentContextValue | null>(null);
