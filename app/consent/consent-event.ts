/** Dispatched on the document when the inline script has hidden the banner, because the cookie holds a choice. */
export const CONSENT_EVENT = "consent";
