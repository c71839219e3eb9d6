/** Where on the site a visitor signed up: the forms of our own pages. Programs may name others. */
export const DEFAULT_SOURCE = "landing_page";
export const HELP_SOURCE = "ways_to_help_section";

const formSources = [DEFAULT_SOURCE, HELP_SOURCE];

/** The form that shows the answer to a sign-up: the one it came from, or the page's first. */
export function formOf(source: string): string {
  return formSources.includes(source) ? source : DEFAULT_SOURCE;
}
