/** The limits of a page. Sizes are compressed bytes: brotli for the document and styles, gzip for scripts. */
export interface Budget {
  /** The document and its render-blocking stylesheets. */
  firstFlight: number;
  /** Script that runs before hydration. */
  earlyScript: number;
  /** All script after hydration. */
  allScript: number;
  fonts: number;
  /** Render-blocking requests besides the document. */
  blocking: number;
  /** Module scripts requested before hydration. */
  earlyModules: number;
  /** Requests before hydration, by type. */
  requests: Record<string, number>;
}

const KB = 1024;

const limits: Omit<Budget, "requests"> = {
  firstFlight: 18 * KB,
  earlyScript: 1.5 * KB,
  allScript: 125 * KB,
  fonts: 25 * KB,
  blocking: 0,
  earlyModules: 0,
};

/** Requests before hydration: the page, the font, the deferred styles, the favicon. */
const requests = { document: 1, font: 1, other: 1, stylesheet: 1 };

/** The limits of every page. */
export const pageBudget: Budget = { ...limits, requests };

/** Chromium fetches lazy pictures before they are in view: the icons, in one file, and the two sides. */
export const landingBudget: Budget = { ...pageBudget, requests: { ...requests, image: 3 } };

/** Within how many bytes of the landing page, brotli, its first view is complete. */
export const firstViewBudget = 14 * KB;
