import { type Preference, preferenceCookieText } from "#app/consent/preference-cookie.ts";

/** The page that explains the choice also takes it. */
export const CONSENT_ACTION = "/cookie-policy";

/**
 * Saves a choice without loading a page. The server sets the cookie, because a browser may shorten the life of one
 * that a script has set; where the server cannot be reached, the script sets it all the same. Never rejects.
 */
export async function savePreference(preference: Preference): Promise<void> {
  try {
    const init: RequestInit = { method: "POST", body: formBody(preference), redirect: "manual", keepalive: true };
    const response = await fetch(CONSENT_ACTION, init);
    // The answer is a redirect for browsers that load pages; this one stays where it is.
    if (response.type === "opaqueredirect") return;
    console.warn("Cookie preferences were refused", response.status);
  } catch (error) {
    console.warn("Cookie preferences could not be sent", error);
  }
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that visitors use.
  document.cookie = preferenceCookieText(preference, location.protocol === "https:");
}

/** The form as "Accept Selected" sends it: what the choice means has been decided here. */
function formBody({ analytics, marketing }: Preference): URLSearchParams {
  const body = new URLSearchParams({ choice: "selected" });
  if (analytics) body.set("analytics", "on");
  if (marketing) body.set("marketing", "on");
  return body;
}
