import { use } from "react";
import { DocumentContext } from "#app/ui/document-context.ts";

/**
 * The site's structured data, in the server's document only.
 *
 * In the browser it is nothing: creating a script element there is what Trusted Types forbid, and hydration passes
 * over elements in the head that it does not know.
 */
export function JsonLd() {
  const facts = use(DocumentContext);
  if (facts === null) return null;
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: a script's text has no other way in; it is escaped.
    <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: facts.structuredData }} />
  );
}
