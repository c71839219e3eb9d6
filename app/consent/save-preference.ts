import { type Preference, preferenceCookieText } from "#app/consent/preference-cookie.ts";

/** Route that handles the banner's form: the cookie policy page. */
export const CONSENT_ACTION = "/cookie-policy";

/**
 * Saves a choice without a page load. The server sets the cookie, because browsers may shorten the lifetime of those
 * set by scripts; if the request fails, the script sets it. Never rejects.
 */
export async function savePreference(preference: Preference): Promise<void> {
  try {
    const init: RequestInit = { method: "POST", body: formBody(preference), redirect: "manual", keepalive: true };
    const response = await fetch(CONSENT_ACTION, init);
    // The server redirects form posts; a fetch does not follow.
    if (response.type === "opaqueredirect") return;
    console.warn("Cookie preferences were rejected", response.status);
  } catch (error) {
    console.warn("Cookie preferences could not be sent", error);
  }
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that visitors use.
  document.cookie = preferenceCookieText(preference, location.protocol === "https:");
}

/** The form data of "Accept Selected", since the choice is already resolved. */
function formBody({ analytics, marketing }: Preference): URLSearchParams {
  const body = new URLSearchParams({ choice: "selected" });
  if (analytics) body.set("analytics", "on");
  if (marketing) body.set("marketing", "on");
  return body;
}
