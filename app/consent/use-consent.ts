import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import type { Consent } from "#app/consent/consent.server.ts";
import { preferenceFrom, readPreference } from "#app/consent/preference-cookie.ts";
import { CONSENT_EVENT, SETTINGS_PARAMETER } from "#app/consent/settings-link.ts";
import { applyConsent } from "#app/consent/tracking/apply-consent.ts";
import type { TagIds } from "#app/consent/tracking/tag-ids.ts";
import { track } from "#app/consent/tracking/track.ts";

/**
 * Follows the visitor's choice, which the inline script saves: shows the banner, starts and stops tracking services, and
 * tracks page views.
 *
 * @param data the root loader's data; without it there is no banner and nothing is loaded
 */
export function useConsent(data: { consent: Consent; tagIds: TagIds } | undefined) {
  const { preference, gpc } = data?.consent ?? { preference: null, gpc: false };
  const [saved, setSaved] = useState(preference);
  const [isOpen, setIsOpen] = useState<boolean | null>(null);
  const { pathname, search } = useLocation();
  const isNeeded = isOpen ?? (saved === null || new URLSearchParams(search).has(SETTINGS_PARAMETER));
  const isShown = data !== undefined && isNeeded;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new query on the same path is not a new page.
  useEffect(() => {
    track({ kind: "page-viewed", path: pathname, search, title: document.title });
  }, [pathname]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids do not change while a page is open.
  useEffect(() => {
    if (data === undefined) return;

    async function apply() {
      // The browser may have cached this document before the choice was made or changed, perhaps in another tab.
      const current = preferenceFrom(readPreference(document.cookie));
      setSaved(current);
      if (current !== null && (await applyConsent(data?.tagIds ?? {}, current))) reloadWithoutBanner();
    }

    function close() {
      setIsOpen(false);
      void apply();
    }

    void apply();
    document.addEventListener(CONSENT_EVENT, close);
    return () => document.removeEventListener(CONSENT_EVENT, close);
  }, []);

  return { saved, gpc, isShown, shouldFocus: isOpen === true, showBanner: () => setIsOpen(true) };
}

function reloadWithoutBanner(): void {
  const url = new URL(location.href);
  url.searchParams.delete(SETTINGS_PARAMETER);
  history.replaceState(history.state, "", url);
  location.reload();
}
