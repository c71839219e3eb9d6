/**
 * Adds the campaign with which the visitor arrived to the page's links and forms, so that a sign-up on the next page
 * knows it without storage on the device. Links to anchors stay as they are: another query would load the page again.
 */
export function carryCampaign(): void {
  const campaign = new URLSearchParams();
  for (const [field, value] of new URLSearchParams(location.search)) {
    // The shortest beginnings of the campaign's fields: what else begins so does no harm.
    if (/^(utm|refe|via)/.test(field)) campaign.set(field, value);
  }
  const host = document.referrer && new URL(document.referrer).host;
  if (host && host !== location.host) campaign.set("referrer_host", host);
  if (!`${campaign}`) return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[href^="/"],[href^="?"]')) {
    link.search += (link.search && "&") + campaign;
  }
  for (const form of document.querySelectorAll('[action^="#"]')) {
    form.setAttribute("action", `?${campaign}${form.getAttribute("action")}`);
  }
}
