import { createContext } from "react";

export interface DocumentContextValue {
  nonce: string;
  /** The critical styles. */
  styles: string;
  themeColor: { light: string; dark: string };
  /** JSON-LD. */
  structuredData: string;
  /** Renders without the hydration boundary, in which React swallows errors. */
  skipBoundary: boolean;
}

/** Null in the browser. */
export const DocumentContext = createContext<DocumentContextValue | null>(null);
