import {
  type ConsentChoice,
  type Preference,
  preferenceCookiePair,
  preferenceCookieText,
  resolveChoice,
} from "#app/consent/preference-cookie.ts";
import { BANNER_ID, CONSENT_EVENT, SETTINGS_PARAMETER } from "#app/consent/settings-link.ts";
import { startHydration } from "#app/layout/inline-script/hydration.ts";

/** Categories with a configured service. */
const { services } = (document.currentScript as HTMLElement).dataset as { services: string };

let saving: AbortController | undefined;

/** Works before and after hydration, which it starts only if a service may run. */
export function handleConsent(): void {
  applySaved();
  addEventListener("pageshow", ({ persisted }) => persisted && applySaved());
  addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.closest(BANNER)) return;
    event.preventDefault();
    choose(form, (event.submitter as HTMLButtonElement).value as ConsentChoice);
  });
}

const BANNER = `#${BANNER_ID}`;

/** This document may be older than the choice: from the browser's history, its cache or a prefetch. */
function applySaved(): void {
  // Decoded, since js-cookie encodes less of it. Unlike decodeURIComponent, unescape never throws at another cookie.
  for (const analytics of [true, false]) {
    for (const marketing of [true, false]) {
      const preference = { analytics, marketing };
      if (unescape(document.cookie).includes(preferenceCookiePair(preference))) apply(preference);
    }
  }
}

/** The script's cookie is for the next page, which may be requested before the server has set the same one for longer. */
function choose(form: HTMLFormElement, choice: ConsentChoice): void {
  const body = new FormData(form);
  const toggles = { analytics: body.has("analytics"), marketing: body.has("marketing") };
  const preference = resolveChoice(choice, toggles, "gpc" in form.dataset);
  // A late response to the choice before this one would set its cookie again.
  saving?.abort();
  saving = new AbortController();
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that visitors use.
  document.cookie = preferenceCookieText(preference, location.protocol === "https:");
  body.set("choice", choice);
  fetch(form.action, {
    method: "POST",
    body,
    redirect: "manual",
    // Nothing ends a request with `keepalive` in Chromium, so a consent is sent without.
    keepalive: choice === "decline",
    signal: saving.signal,
  }).catch(console.warn);
  apply(preference, true);
}

function apply(preference: Preference, isNew?: boolean): void {
  if (isNew || !location.search.includes(`${SETTINGS_PARAMETER}=`)) {
    if (document.querySelector(`${BANNER} :focus`)) {
      document.querySelector<HTMLElement>(`[href*="${SETTINGS_PARAMETER}="]`)?.focus({ preventScroll: true });
    }
    for (const element of document.querySelectorAll<HTMLElement>(`${BANNER},[href="${BANNER}"]`)) element.hidden = true;
    document.dispatchEvent(new Event(CONSENT_EVENT));
  }
  for (const category in preference) {
    if (preference[category as keyof Preference] && services.includes(category)) startHydration();
  }
}
