/** Where on the site a visitor signed up. API clients may send other sources. */
export const DEFAULT_SOURCE = "landing_page";
export const HELP_SOURCE = "ways_to_help_section";

/** @public The form below a letter that anyone can read. */
export const LETTER_SOURCE = "letter";

/** @public Imported people whose file names no source. */
export const IMPORT_SOURCE = "import";

export const OWNER_SOURCE = "added_by_hand";

/** @public People who joined with a form on another site that names no source. */
export const EMBED_SOURCE = "embed";

/** What the owner reads for a source. Those of API clients are shown as they are. */
export const sourceNames: Record<string, string> = {
  [DEFAULT_SOURCE]: "Main form",
  [HELP_SOURCE]: "Lower form",
  [LETTER_SOURCE]: "Form below a letter",
  [IMPORT_SOURCE]: "Import",
  [OWNER_SOURCE]: "Added by hand",
  [EMBED_SOURCE]: "Form on another site",
};

const formSources = [DEFAULT_SOURCE, HELP_SOURCE, LETTER_SOURCE];

/** What a source looks like, and what is said of one that does not. */
export const sourceFormat = {
  pattern: /^[a-z0-9_]{1,64}$/,
  problem: "must be a source, such as spring_fair: at most 64 lower-case letters, digits and underscores",
};

/** The source of the form that shows a sign-up's result: the one it came from, or the page's first. */
export function formSource(source: string): string {
  return formSources.includes(source) ? source : DEFAULT_SOURCE;
}

/** A source in the form that sources have, such as `autumn_fair` for `Autumn Fair`; null if nothing is left of it. */
export function toSource(text: string): string | null {
  if (sourceFormat.pattern.test(text)) return text;
  const source = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 64);
  return source === "" ? null : source;
}
