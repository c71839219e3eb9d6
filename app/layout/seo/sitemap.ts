import { pageUrl } from "#app/layout/links.ts";
import type { PageRecord } from "#app/server/page-record.ts";
import { escapeXml } from "#app/server/xml.ts";

/** The body of /sitemap.xml. https://www.sitemaps.org/protocol.html */
export function sitemap(siteUrl: string, pages: Pick<PageRecord, "path" | "lastModified">[]): string {
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
