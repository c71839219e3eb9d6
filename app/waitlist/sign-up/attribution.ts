import { type Campaign, campaignFromSearch, referrerHost } from "#app/waitlist/entries/campaign.ts";

/**
 * The campaign on arrival, read when the script starts because client-side navigation drops the query string. In memory
 * only: storing it on the device would need consent.
 */
const arrival: Campaign = typeof document === "undefined" ? {} : readArrival();

/** The campaign of this visit. Parameters of the current URL override those of the first page. */
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
