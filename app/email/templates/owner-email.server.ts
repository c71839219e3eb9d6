import { link, links } from "#app/email/blocks/blocks.ts";
import type { EmailContent } from "#app/email/blocks/render-content.server.ts";
import { site } from "#app/site.ts";

/** What the templates of emails to the owner get. */
export interface OwnerEmailProps {
  siteUrl: string;
  /** IANA name. */
  timeZone: string;
  /** URL of the page where the owner signs in, once. */
  signInUrl: string;
}

/** The small print of every email to the owner. */
export const ownerFooter: EmailContent["footer"] = ["Sent to the owner of this site."];

/** News for the owner: plain paragraphs and a link to the owner's pages. */
export function ownerNews(
  heading: string,
  paragraphs: string[],
  { siteUrl }: Pick<OwnerEmailProps, "siteUrl">,
): EmailContent {
  return {
    subject: `${site.name}: ${heading.charAt(0).toLowerCase()}${heading.slice(1)}`,
    siteUrl,
    heading,
    blocks: [...paragraphs, links(link("Open the owner’s pages", `${siteUrl}/owner`))],
    footer: ownerFooter,
  };
}
