import { pageUrl, sitePages } from "#app/seo/site-pages.ts";
import { site } from "#app/site.ts";

/**
 * The organisation and the site as structured data, in the server's document only.
 *
 * In the browser it is nothing: creating a script element there is what Trusted Types forbid, and hydration passes
 * over elements in the head that it does not know.
 */
export function JsonLd({ siteUrl }: { siteUrl: string | undefined }) {
  if (typeof document !== "undefined" || siteUrl === undefined) return null;
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: a script's text has no other way in; it is escaped below.
    <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: scriptText(structuredData(siteUrl)) }} />
  );
}

function structuredData(siteUrl: string) {
  const url = pageUrl(siteUrl, sitePages.home);
  const organisation = `${url}#organisation`;
  return {
    "@context": "https://schema.org",
    "@graph": [
      { "@type": "Organization", "@id": organisation, name: site.name, url, logo: `${siteUrl}/og.png` },
      {
        "@type": "WebSite",
        "@id": `${url}#website`,
        name: site.name,
        description: site.description,
        url,
        inLanguage: "en-GB",
        publisher: { "@id": organisation },
      },
    ],
  };
}

/** JSON that cannot end the script element it stands in. */
function scriptText(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
