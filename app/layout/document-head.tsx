import { use } from "react";
import { DocumentContext } from "#app/layout/document-context.ts";

/* Parts of the document's head that only the server renders. */

/** The colour of the browser's own bar. Rendered by the server only: the client bundle does not contain the palette. */
export function ThemeColor() {
  const colours = use(DocumentContext)?.themeColor;
  if (colours === undefined) return null;
  return (
    <>
      <meta name="theme-color" content={colours.light} media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content={colours.dark} media="(prefers-color-scheme: dark)" />
    </>
  );
}

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
