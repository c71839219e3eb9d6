/** Where on the site a visitor signed up. API clients may send other sources. */
export const DEFAULT_SOURCE = "landing_page";
export const HELP_SOURCE = "ways_to_help_section";

/** Imported people whose file names no source. */
export const IMPORT_SOURCE = "import";

const formSources = [DEFAULT_SOURCE, HELP_SOURCE];

/** The source of the form that shows a sign-up's result: the one it came from, or the page's first. */
export function formSource(source: string): string {
  return formSources.includes(source) ? source : DEFAULT_SOURCE;
}
