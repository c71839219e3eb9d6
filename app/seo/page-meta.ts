import type { MetaDescriptor } from "react-router";
import { pageUrl, type SitePage } from "#app/seo/site-pages.ts";
import { site } from "#app/site.ts";

/** `public/og.png`, in the size that Facebook, WhatsApp and X show whole. */
const shareImage = {
  path: "/og.png",
  width: "1200",
  height: "630",
  alt: `${site.name}. ${site.tagline}.`,
};

/**
 * What a route's `meta` returns: title, description, canonical link, Open Graph and Twitter card.
 *
 * @param page its own entry of `sitePages`, and the canonical origin from the root loader
 */
export function pageMeta({ siteUrl, ...page }: SitePage & { siteUrl: string }): MetaDescriptor[] {
  const url = pageUrl(siteUrl, page);
  const image = pageUrl(siteUrl, shareImage);
  return [
    { title: page.title },
    { name: "description", content: page.description },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: site.name },
    { property: "og:locale", content: "en_GB" },
    { property: "og:title", content: page.title },
    { property: "og:description", content: page.description },
    { property: "og:url", content: url },
    { property: "og:image", content: image },
    { property: "og:image:width", content: shareImage.width },
    { property: "og:image:height", content: shareImage.height },
    { property: "og:image:alt", content: shareImage.alt },
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:title", content: page.title },
    { name: "twitter:description", content: page.description },
    { name: "twitter:image", content: image },
    { name: "twitter:image:alt", content: shareImage.alt },
  ];
}
