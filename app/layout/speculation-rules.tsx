import { use } from "react";
import { DocumentContext } from "#app/ui/document-context.ts";

/**
 * Lets the browser fetch a page of ours while the pointer rests on a link to it: what is clicked before the
 * application has started is then there already. Addresses that hold a token or belong to the owner are left alone.
 * https://developer.mozilla.org/en-US/docs/Web/API/Speculation_Rules_API
 */
export function SpeculationRules() {
  const facts = use(DocumentContext);
  if (facts === null) return null;
  return (
    <script
      type="speculationrules"
      nonce={facts.nonce}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours
      dangerouslySetInnerHTML={{ __html: rules }}
    />
  );
}

const rules = JSON.stringify({
  prefetch: [
    {
      where: { and: [{ href_matches: "/*" }, { not: { href_matches: ["/your-data/*", "/owner*", "/api/*"] } }] },
      eagerness: "moderate",
    },
  ],
});
