/** What a page may cost. Bytes as compressed on the way: brotli for the document and styles, gzip for scripts. */
export interface Budget {
  /** The document with the stylesheets that its first paint waits for. */
  firstFlight: number;
  /** Script that runs before the first intent or idleness. */
  earlyScript: number;
  /** All script, once the page has come alive. */
  allScript: number;
  fonts: number;
  /** Requests that the first paint waits for, beyond the document. */
  blocking: number;
  /** Module scripts asked for before the first intent. */
  earlyModules: number;
  /** Requests before the first intent, by type. */
  requests: Record<string, number>;
}

const KB = 1024;

/** Where every page is meant to get to, and may not leave once it is there. */
const bars: Omit<Budget, "requests"> = {
  firstFlight: 14 * KB,
  earlyScript: 1.5 * KB,
  allScript: 125 * KB,
  fonts: 25 * KB,
  blocking: 0,
  earlyModules: 0,
};

/** Requests of a page that nobody has touched yet: itself, the font, the styles of what comes later, the favicon. */
const requests = { document: 1, font: 1, other: 1, stylesheet: 1 };

const everyPage: Budget = { ...bars, requests };

/** By path; every route of the site has a line. */
export const budgets: Record<string, Budget> = {
  "/": everyPage,
  "/roadmap": everyPage,
  "/survey": everyPage,
  "/privacy": everyPage,
  "/cookie-policy": everyPage,
  "/no-such-page": everyPage,
};
