import { use } from "react";
import { DocumentContext } from "#app/layout/document-context.ts";

/**
 * The site's structured data, rendered by the server only: Trusted Types forbid creating scripts in the browser, and
 * hydration ignores unknown elements in the head.
 */
export function JsonLd() {
  const context = use(DocumentContext);
  if (context === null) return null;
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: escaped; an inline script needs raw text
    <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: context.structuredData }} />
  );
}
