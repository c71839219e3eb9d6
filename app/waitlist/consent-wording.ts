/** Earlier wordings, by version. Entries refer to them: never edit one. */
const earlierWordings: Readonly<Record<string, string>> = {
  "2026-11": "One welcome mail now, then only news of the launch, at most once a month.",
};

/** The version that the form shows, stored with each sign-up as evidence of consent (GDPR, article 7). */
export const CONSENT_VERSION = "2026-11-21";

/**
 * What visitors agree to when they sign up; emails repeat the promise. To change it, move it to the earlier wordings and
 * choose a new version.
 */
export const consentWording = "We send one welcome email, then only news of the launch, at most once a month.";

/** The wording of a version; null if it is unknown. */
export function findWording(version: string | null): string | null {
  if (version === CONSENT_VERSION) return consentWording;
  return Object.entries(earlierWordings).find(([known]) => known === version)?.[1] ?? null;
}
