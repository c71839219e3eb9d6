/** In a page's query it shows the banner, whatever has been saved. Shows and no more: a GET changes nothing. */
export const SETTINGS_PARAMETER = "cookies";

/** The banner's anchor. */
export const BANNER_ID = "consent";

/** Leads from any page to the same page with its banner. */
export const settingsLink = `?${SETTINGS_PARAMETER}=settings#${BANNER_ID}`;
