import { pageUrl } from "#app/layout/links.ts";
import { textResponse } from "#app/layout/seo/text-response.ts";
import { pages } from "#app/pages.server.ts";
import { type AppContext, appContext } from "#app/server/context.ts";
import { logError } from "#app/server/log.ts";
import type { PageRecord } from "#app/server/page-record.ts";
import { escapeXml } from "#app/server/xml.ts";
import type { Route } from "./+types/sitemap";

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  return textResponse(sitemap(app.config.SITE_URL, [...pages, ...(await collectedPages(app))]), "application/xml");
}

/** None if the database fails: search engines keep the pages that they know. */
async function collectedPages({ db, collections }: AppContext) {
  try {
    return (await Promise.all(collections.map(({ list }) => list(db)))).flat();
  } catch (error) {
    logError("sitemap-incomplete", error);
    return [];
  }
}

/** The body of /sitemap.xml. https://www.sitemaps.org/protocol.html */
function sitemap(siteUrl: string, pages: Pick<PageRecord, "path" | "lastModified">[]): string {
  const urls = pages.map((page) => {
    const modified = page.lastModified === undefined ? "" : `<lastmod>${page.lastModified}</lastmod>`;
    return `  <url><loc>${escapeXml(pageUrl(siteUrl, page))}</loc>${modified}</url>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join("\n")}
</urlset>
`;
}
