import { pageUrl } from "#app/layout/pages.ts";
import { landingPage } from "#app/pages/landing/page.ts";
import { memoiseBytes } from "#app/server/memoise-bytes.ts";
import { site } from "#app/site.ts";

/** The organisation and the site as JSON-LD, encoded and escaped for a script element. */
export const structuredData = memoiseBytes((siteUrl) => {
  const url = pageUrl(siteUrl, landingPage);
  const organisation = `${url}#organisation`;
  const graph = [
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
  ];
  return JSON.stringify({ "@context": "https://schema.org", "@graph": graph }).replaceAll("<", "\\u003c");
});
