/** Where a visitor came from: the page's UTM parameters, the referring host, and the code of a personal link. */
export type Campaign = Partial<Record<CampaignField, string>>;

type CampaignField = (typeof CAMPAIGN_FIELDS)[number];

const CAMPAIGN_FIELDS = [
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_term",
  "utm_content",
  "referrer_host",
  "via",
] as const;

/** Characters. Longer values are truncated: a campaign must never fail a sign-up. */
const MAX_VALUE = 100;

export function campaignFromSearch(search: URLSearchParams): Campaign {
  const campaign: Campaign = {};
  for (const field of CAMPAIGN_FIELDS) {
    const value = campaignValue(search.get(field));
    if (value !== null) campaign[field] = value;
  }
  return campaign;
}

/** A value without control characters, truncated; null if it is empty or not text. */
export function campaignValue(value: unknown): string | null {
  if (typeof value !== "string") return null;
  // Not toWellFormed(), which Firefox 115 and Chrome 109 lack.
  const clean = value
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(/\p{Cc}+/gu, " ")
    .trim();
  return clean === "" ? null : Array.from(clean).slice(0, MAX_VALUE).join("");
}

/** The host that linked to a page; undefined if it is the page's own. */
export function referrerHost(referrer: string, ownHost: string): string | undefined {
  try {
    // Not URL.parse, which Safari 17 lacks.
    const { host } = new URL(referrer);
    return host !== "" && host !== ownHost ? host : undefined;
  } catch {
    return undefined;
  }
}
