import { use } from "react";
import { DocumentContext } from "#app/layout/document-context.ts";

/**
 * Prefetches pages when the pointer rests on a link. Paths with a token and the owner's pages are excluded.
 * https://developer.mozilla.org/en-US/docs/Web/API/Speculation_Rules_API
 */
export function SpeculationRules() {
  const context = use(DocumentContext);
  if (context === null) return null;
  return (
    <script
      type="speculationrules"
      nonce={context.nonce}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant
      dangerouslySetInnerHTML={{ __html: rules }}
    />
  );
}

const rules = JSON.stringify({
  prefetch: [
    {
      where: {
        and: [
          { href_matches: "/*" },
          { not: { href_matches: ["/your-data/*", "/unsubscribe/*", "/confirm/*", "/owner*", "/api/*"] } },
        ],
      },
      eagerness: "moderate",
    },
  ],
});
