/** Where a visitor came from: the campaign parameters of the page's address, and the host that linked here. */
export type Campaign = Partial<Record<CampaignField, string>>;

export type CampaignField = (typeof CAMPAIGN_FIELDS)[number];

export const CAMPAIGN_FIELDS = [
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_term",
  "utm_content",
  "referrer_host",
] as const;

/** Characters. Longer values are cut: a campaign must never cost a sign-up. */
const MAX_VALUE = 100;

/** The campaign in a page's query string. */
export function campaignFromSearch(search: URLSearchParams): Campaign {
  const campaign: Campaign = {};
  for (const field of CAMPAIGN_FIELDS) {
    const value = campaignValue(search.get(field));
    if (value !== null) campaign[field] = value;
  }
  return campaign;
}

/** A value without control characters and of limited length; null for anything that is not text, or empty. */
export function campaignValue(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const clean = value
    .toWellFormed()
    .replace(/\p{Cc}+/gu, " ")
    .trim();
  return clean === "" ? null : Array.from(clean).slice(0, MAX_VALUE).join("");
}

/** The host that linked to a page, unless it is the page's own. */
export function referrerHost(referrer: string, ownHost: string): string | undefined {
  const host = URL.parse(referrer)?.host;
  return host && host !== ownHost ? host : undefined;
}
