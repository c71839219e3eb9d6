/** Query parameter that shows the banner even if a choice is saved. It changes nothing else: GET is safe. */
export const SETTINGS_PARAMETER = "cookies";

export const CONSENT_ACTION = "/cookie-policy";

export const BANNER_ID = "consent";

/** Links from any page to itself with the banner shown. */
export const settingsLink = `?${SETTINGS_PARAMETER}=settings#${BANNER_ID}`;

/** Dispatched on the document when the inline script has hidden the banner, because the cookie holds a choice. */
export const CONSENT_EVENT = "consent";
