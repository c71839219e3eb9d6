/** Where a visitor came from: campaign parameters of the page's address, and the host that linked here. */
export type Campaign = Partial<Record<CampaignField, string>>;

type CampaignField = (typeof UTM_FIELDS)[number] | "referrer_host";

const UTM_FIELDS = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;

/** Longer values are cut: a campaign must never cost a sign-up. */
const MAX_VALUE = 100;

/** The campaign in a page's query string. */
export function campaignFromSearch(search: URLSearchParams): Campaign {
  return pickCampaign(Object.fromEntries(search));
}

/** The campaign fields among whatever a door received; everything else, and every value that is no text, is left. */
export function pickCampaign(values: Record<string, unknown>): Campaign {
  const campaign: Campaign = {};
  for (const field of [...UTM_FIELDS, "referrer_host"] as const) {
    const value = values[field];
    if (typeof value !== "string") continue;
    const clean = value
      .toWellFormed()
      .replace(/\p{Cc}+/gu, " ")
      .trim();
    if (clean !== "") campaign[field] = Array.from(clean).slice(0, MAX_VALUE).join("");
  }
  return campaign;
}

/** The host that linked to a page, unless it is the page's own. */
export function referrerHost(referrer: string, ownHost: string): string | undefined {
  const host = URL.parse(referrer)?.host;
  return host && host !== ownHost ? host : undefined;
}
