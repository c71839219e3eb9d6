import type { EmailContent } from "#app/email/blocks/render-content.server.ts";
import { type OwnerEmailProps, ownerNews } from "#app/email/templates/owner-email.server.ts";

/** Tells the owner that D1 refuses queries. Not queued, because the outbox is in the same database. */
export function dailyQuotaEmail(props: Pick<OwnerEmailProps, "siteUrl">): EmailContent {
  const paragraphs = [
    "What your site’s database may do in a day is used up. It works again after midnight UTC.",
    "Until then nobody can join, and people who try are told when they can. Links in emails may not work, visits are not counted, and emails wait. Nothing that was stored is lost.",
    "If you did not expect so many visitors, someone may be flooding the site: your overview shows blocked attempts.",
    "Advanced: Cloudflare’s free plan includes 100,000 rows written and 5,000,000 rows read a day in D1, its database. The Workers Paid plan has no daily limit.",
    "You get this email at most once a day.",
  ];
  return ownerNews("The database’s daily quota is used up", paragraphs, props);
}
