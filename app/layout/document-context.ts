import { createContext } from "react";

/** Values for the document that the server renders. */
export interface DocumentContextValue {
  /** CSP nonce of inline scripts and styles. */
  nonce: string;
  /** The critical styles. */
  styles: string;
  /** By colour scheme. */
  themeColor: { light: string; dark: string };
  /** JSON-LD. */
  structuredData: string;
  /** Renders without the hydration boundary, in which React swallows errors. */
  skipBoundary: boolean;
}

/** Null in the browser. */
export const DocumentContext = createContext<DocumentContextValue | null>(null);
