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

interface ConsentFacts {
  consent: Consent;
  tagIds: TagIds;
}

/** Outlives a page that fails and takes the frame down with it. */
let chosenHere: Preference | null = null;

/**
 * The visitor's choice, and everything that follows it: the banner is asked for or not, services start and stop, and
 * pages are counted.
 *
 * @param facts what the server read; without them nothing is asked and nothing is loaded
 */
export function useConsent(facts: ConsentFacts | undefined) {
  const { preference, gpc } = facts?.consent ?? { preference: null, gpc: false };
  const [saved, setSaved] = useState(chosenHere ?? preference);
  const [asked, setAsked] = useState<boolean | null>(null);
  const { pathname, search } = useLocation();
  const isNeeded = asked ?? (saved === null || new URLSearchParams(search).has(SETTINGS_PARAMETER));
  const isShown = facts !== undefined && isNeeded;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another query on the same path is no other page.
  useEffect(() => {
    track({ kind: "page-viewed", path: pathname, search, title: document.title });
  }, [pathname]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: later choices are made below.
  useEffect(() => {
    if (facts === undefined) return;
    // A document that the browser has kept may be older than the choice, which another page or tab has changed since.
    const reading = readPreference(document.cookie);
    const current = chosenHere ?? preferenceFrom(reading);
    setSaved(current);
    if (current !== null) void applyConsent(facts.tagIds, current);
    else if (reading === "unreadable") console.warn("Cookie preferences could not be read");
  }, []);

  async function choose(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const pressed = (event.nativeEvent as SubmitEvent).submitter?.getAttribute("value");
    const form = new FormData(event.currentTarget);
    const choice = choices.find((candidate) => candidate === pressed) ?? "decline";
    const toggles = { analytics: form.has("analytics"), marketing: form.has("marketing") };
    const next = resolveChoice(choice, toggles, gpc || navigator.globalPrivacyControl === true);
    chosenHere = next;
    setSaved(next);
    setAsked(false);
    const [stopped] = await Promise.all([applyConsent(facts?.tagIds ?? {}, next), savePreference(next)]);
    if (stopped) reloadWithoutBanner();
  }

  return { saved, gpc, isShown, isAskedFor: asked === true, ask: () => setAsked(true), choose };
}

/** The page again, without what had asked for the banner. */
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
