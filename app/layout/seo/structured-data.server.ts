import { pageUrl } from "#app/layout/links.ts";
import { landingPage } from "#app/pages/landing/page.ts";
import { launched, organisation, site } from "#app/site.ts";

/** The organisation and the site as JSON-LD, escaped for a script element. */
export function structuredData(siteUrl: string, { isLaunched }: { isLaunched: boolean }): string {
  const url = pageUrl(siteUrl, landingPage);
  const organisationId = `${url}#organisation`;
  const graph = [
    { "@type": "Organization", "@id": organisationId, name: organisation, url, logo: `${siteUrl}/og.png` },
    {
      "@type": "WebSite",
      "@id": `${url}#website`,
      name: site.name,
      description: isLaunched ? launched.description : site.description,
      url,
      inLanguage: "en-GB",
      publisher: { "@id": organisationId },
    },
  ];
  return JSON.stringify({ "@context": "https://schema.org", "@graph": graph }).replaceAll("<", "\\u003c");
}
