import { pageUrl } from "#app/layout/links.ts";
import type { PageRecord } from "#app/server/page-record.ts";
import { site } from "#app/site.ts";
import { useRootData } from "#app/ui/root-data.ts";

/** `public/og.png`, in a size that Facebook, WhatsApp and X do not crop. */
const shareImage = {
  path: "/og.png",
  width: "1200",
  height: "630",
  alt: `${site.name}. ${site.tagline}.`,
};

/** React hoists these elements into the head. @param published when an article was published (ISO 8601); other pages have none */
export function PageMeta({ page, published }: { page: PageRecord; published?: string }) {
  const siteUrl = useRootData()?.siteUrl ?? "";
  const url = pageUrl(siteUrl, page);
  return (
    <>
      <title>{page.title}</title>
      <meta name="description" content={page.description} />
      <link rel="canonical" href={url} />
      <meta property="og:type" content={published === undefined ? "website" : "article"} />
      {published === undefined ? null : <meta property="article:published_time" content={published} />}
      <meta property="og:site_name" content={site.name} />
      <meta property="og:locale" content="en_GB" />
      <meta property="og:title" content={page.title} />
      <meta property="og:description" content={page.description} />
      <meta property="og:url" content={url} />
      <meta property="og:image" content={pageUrl(siteUrl, shareImage)} />
      <meta property="og:image:width" content={shareImage.width} />
      <meta property="og:image:height" content={shareImage.height} />
      <meta property="og:image:alt" content={shareImage.alt} />
      {/* X reads the other values from Open Graph. */}
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
