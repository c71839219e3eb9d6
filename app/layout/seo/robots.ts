/**
 * The body of /robots.txt. Hosts other than the canonical one are kept out of indexes by a header, which a crawler
 * must be let in to see.
 */
export function robots(siteUrl: string): string {
  return `User-agent: *
Disallow: /api/
Disallow: /healthcheck

Sitemap: ${siteUrl}/sitemap.xml
`;
}
