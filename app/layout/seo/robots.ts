/**
 * The body of /robots.txt. It does not disallow non-canonical hosts: their pages send `X-Robots-Tag: noindex`, which
 * crawlers see only if they may fetch them.
 */
export function robots(siteUrl: string): string {
  return `User-agent: *
Disallow: /api/
Disallow: /healthcheck

Sitemap: ${siteUrl}/sitemap.xml
`;
}
