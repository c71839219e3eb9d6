import { textResponse } from "#app/layout/seo/text-response.ts";
import { appContext } from "#app/server/context.ts";
import type { Route } from "./+types/robots";

export function loader({ context }: Route.LoaderArgs) {
  return textResponse(robots(context.get(appContext).config.SITE_URL), "text/plain");
}

/**
 * The body of /robots.txt. It does not disallow non-canonical hosts: their pages send `X-Robots-Tag: noindex`, which
 * crawlers see only if they may fetch them.
 */
function robots(siteUrl: string): string {
  return `User-agent: *
Disallow: /api/
Disallow: /healthcheck

Sitemap: ${siteUrl}/sitemap.xml
`;
}
