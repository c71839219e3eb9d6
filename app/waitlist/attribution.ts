import { type Campaign, campaignFromSearch, referrerHost } from "#app/waitlist/campaign.ts";

/**
 * What brought this visitor, read when the script starts: client-side navigation drops the query string. Kept in
 * memory only, since storing it on the device would need consent.
 */
const arrival: Campaign = typeof document === "undefined" ? {} : readArrival();

/** The campaign of this visit; parameters in the current address win over those of the first page. */
export function visitCampaign(): Campaign {
  return { ...arrival, ...campaignFromSearch(new URLSearchParams(location.search)) };
}

function readArrival(): Campaign {
  const host = referrerHost(document.referrer, location.host);
  return {
    ...campaignFromSearch(new URLSearchParams(location.search)),
    ...(host === undefined ? {} : { referrer_host: host }),
  };
}
