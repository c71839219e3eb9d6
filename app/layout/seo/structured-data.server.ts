import { pageUrl } from "#app/layout/links.ts";
import type { Article } from "#app/server/context.ts";
import { launched, organisation, site } from "#app/site.ts";

/** The organisation, the site and the article of a page as JSON-LD, escaped for a script element. */
export function structuredData(
  siteUrl: string,
  { isLaunched, article }: { isLaunched: boolean; article: Article | null },
): string {
  const url = pageUrl(siteUrl, { path: "/" });
  const organisationId = `${url}#organisation`;
  const websiteId = `${url}#website`;
  const graph = [
    { "@type": "Organization", "@id": organisationId, name: organisation, url, logo: `${siteUrl}/og.png` },
    {
      "@type": "WebSite",
      "@id": websiteId,
      name: site.name,
      description: isLaunched ? launched.description : site.description,
      url,
      inLanguage: "en-GB",
      publisher: { "@id": organisationId },
    },
    ...(article === null ? [] : [toArticle(article)]),
  ];

  return JSON.stringify({ "@context": "https://schema.org", "@graph": graph }).replaceAll("<", "\\u003c");

  /** https://schema.org/Article */
  function toArticle({ path, headline, description, published }: Article) {
    return {
      "@type": "Article",
      "@id": `${siteUrl}${path}#article`,
      headline,
      description,
      datePublished: published,
      url: siteUrl + path,
      mainEntityOfPage: siteUrl + path,
      image: `${siteUrl}/og.png`,
      inLanguage: "en-GB",
      isPartOf: { "@id": websiteId },
      author: { "@id": organisationId },
      publisher: { "@id": organisationId },
    };
  }
}
