import { colour, type Role } from "#app/ui/theme.ts";

/**
 * The dark scheme of emails, for email clients that have one and read style sheets. All others show the colours of the
 * style attributes, which are those of the light scheme.
 */

const DARK = "(prefers-color-scheme:dark)";

/** The colours of each class. `!important` wins against the style attributes. */
const classes = {
  "e-page": { "background-color": "paper", color: "ink" },
  "e-card": { "background-color": "emailPaper", "border-color": "border" },
  "e-bar": { "background-color": "bar", "border-bottom-color": "secondary" },
  "e-brand": { color: "barInk" },
  "e-rule": { "border-top-color": "border" },
  "e-link": { color: "link" },
  "e-button": { "background-color": "button", color: "buttonText" },
  "e-quote": { "border-left-color": "secondary" },
} as const satisfies Record<string, Record<string, Role>>;

export const darkStyles = `@media ${DARK}{${Object.entries(classes)
  .map(([name, roles]) => `.${name}{${declarations(roles)}}`)
  .join("")}}`;

function declarations(roles: Record<string, Role>): string {
  return Object.entries(roles)
    .map(([property, role]) => `${property}:${colour(role, "dark")}!important`)
    .join(";");
}

/** An email's HTML in one scheme, not the reader's own. */
export function forScheme(html: string, scheme: "light" | "dark"): string {
  return html.replaceAll(DARK, scheme === "dark" ? "all" : "not all");
}
