import { DARK } from "#app/email/blocks/email-styles.server.ts";

/** An email's HTML in one scheme, not the reader's own. */
export function forScheme(html: string, scheme: "light" | "dark"): string {
  return html.replaceAll(DARK, scheme === "dark" ? "all" : "not all");
}
