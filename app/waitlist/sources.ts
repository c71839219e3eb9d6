/** Where on the site a visitor signed up. API clients may send other sources. */
export const DEFAULT_SOURCE = "landing_page";
export const HELP_SOURCE = "ways_to_help_section";

/** Imported people whose file names no source. */
export const IMPORT_SOURCE = "import";

/** What the owner reads for a source. Those of API clients are shown as they are. */
export const sourceNames: Record<string, string> = {
  [DEFAULT_SOURCE]: "Main form",
  [HELP_SOURCE]: "Lower form",
  [IMPORT_SOURCE]: "Import",
};

const formSources = [DEFAULT_SOURCE, HELP_SOURCE];

/** The source of the form that shows a sign-up's result: the one it came from, or the page's first. */
export function formSource(source: string): string {
  return formSources.includes(source) ? source : DEFAULT_SOURCE;
}
