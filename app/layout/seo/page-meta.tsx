import { pageUrl } from "#app/layout/links.ts";
import type { PageRecord } from "#app/server/page-record.ts";
import { site } from "#app/site.ts";
import { referrals } from "#app/switches.ts";
import { useRootData } from "#app/ui/root-data.ts";
import { INVITATION } from "#app/waitlist/entries/personal-link.ts";

/** In `public/`, in a size that Facebook, WhatsApp and X do not crop. */
const shareImage = { path: "/og.png", alt: `${site.name}. ${site.tagline}.` };
const ticketImage = { path: "/og-friend.png", alt: `A ticket to ${site.name}: “${INVITATION}. Admit one.”` };

interface PageMetaProps {
  page: PageRecord;
  /** When an article was published (ISO 8601); other pages have none. */
  published?: string;
  /** Whether a friend’s link led here: its preview is a ticket. */
  isInvited?: boolean;
}

/**
 * React hoists these elements into the head. With a friend’s link there is neither `og:url` nor a canonical link: Facebook
 * would follow them to the page without the code. Search engines get the address in a header.
 * https://developers.facebook.com/docs/sharing/webmasters/getting-started/versioned-link
 */
export function PageMeta({ page, published, isInvited = false }: PageMetaProps) {
  const siteUrl = useRootData()?.siteUrl ?? "";
  const url = pageUrl(siteUrl, page);
  const image = referrals && isInvited ? ticketImage : shareImage;
  return (
    <>
      <title>{page.title}</title>
      <meta name="description" content={page.description} />
      {isInvited ? null : <link rel="canonical" href={url} />}
      <meta property="og:type" content={published === undefined ? "website" : "article"} />
      {published === undefined ? null : <meta property="article:published_time" content={published} />}
      <meta property="og:site_name" content={site.name} />
      <meta property="og:locale" content="en_GB" />
      <meta property="og:title" content={page.title} />
      <meta property="og:description" content={page.description} />
      {isInvited ? null : <meta property="og:url" content={url} />}
      <meta property="og:image" content={pageUrl(siteUrl, image)} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={image.alt} />
      {/* X reads the other values from Open Graph. */}
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
