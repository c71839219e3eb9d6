import { type FormEvent, useEffect, useState } from "react";
import { useLocation } from "react-router";
import type { Consent } from "#app/consent/consent.server.ts";
import {
  choices,
  type Preference,
  preferenceFrom,
  readPreference,
  resolveChoice,
} from "#app/consent/preference-cookie.ts";
import { savePreference } from "#app/consent/save-preference.ts";
import { SETTINGS_PARAMETER } from "#app/consent/settings-link.ts";
import { applyConsent } from "#app/consent/tracking/apply-consent.ts";
import type { TagIds } from "#app/consent/tracking/tag-ids.ts";
import { track } from "#app/consent/tracking/track.ts";

interface ConsentData {
  consent: Consent;
  tagIds: TagIds;
}

/** The choice made since the page load. Module state, so that it survives an error that unmounts the page frame. */
let chosenHere: Preference | null = null;

/**
 * Manages the visitor's choice: shows the banner, starts and stops tracking services, and tracks page views.
 *
 * @param data the root loader's data; without it there is no banner and nothing is loaded
 */
export function useConsent(data: ConsentData | undefined) {
  const { preference, gpc } = data?.consent ?? { preference: null, gpc: false };
  const [saved, setSaved] = useState(chosenHere ?? preference);
  const [isOpen, setIsOpen] = useState<boolean | null>(null);
  const { pathname, search } = useLocation();
  const isNeeded = isOpen ?? (saved === null || new URLSearchParams(search).has(SETTINGS_PARAMETER));
  const isShown = data !== undefined && isNeeded;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new query on the same path is not a new page.
  useEffect(() => {
    track({ kind: "page-viewed", path: pathname, search, title: document.title });
  }, [pathname]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: later choices are handled in choose().
  useEffect(() => {
    if (data === undefined) return;
    // The browser may have cached this document before the choice was made or changed, perhaps in another tab.
    const result = readPreference(document.cookie);
    const current = chosenHere ?? preferenceFrom(result);
    setSaved(current);
    if (current !== null) void applyConsent(data.tagIds, current);
    else if (result === "unreadable") console.warn("Cookie preferences could not be read");
  }, []);

  async function choose(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const value = (event.nativeEvent as SubmitEvent).submitter?.getAttribute("value");
    const form = new FormData(event.currentTarget);
    const choice = choices.find((candidate) => candidate === value) ?? "decline";
    const toggles = { analytics: form.has("analytics"), marketing: form.has("marketing") };
    const next = resolveChoice(choice, toggles, gpc || navigator.globalPrivacyControl === true);
    chosenHere = next;
    setSaved(next);
    setIsOpen(false);
    const [stopped] = await Promise.all([applyConsent(data?.tagIds ?? {}, next), savePreference(next)]);
    if (stopped) reloadWithoutBanner();
  }

  return { saved, gpc, isShown, shouldFocus: isOpen === true, showBanner: () => setIsOpen(true), choose };
}

/** Reloads the page without the query parameter that shows the banner. */
function reloadWithoutBanner(): void {
  const url = new URL(location.href);
  url.searchParams.delete(SETTINGS_PARAMETER);
  history.replaceState(history.state, "", url);
  location.reload();
}

declare global {
  interface Navigator {
    /** https://w3c.github.io/gpc/ */
    globalPrivacyControl?: boolean;
  }
}
