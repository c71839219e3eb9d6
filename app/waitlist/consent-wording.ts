/** Every wording that the sign-up form has shown, by version. Entries refer to them: add a version, never edit one. */
const wordings = {
  "2026-11": "One welcome mail now, then only news of the launch, at most once a month.",
} as const;

/** The version that the form shows, stored with each sign-up as evidence of consent (GDPR, article 7). */
export const CONSENT_VERSION = "2026-11" satisfies keyof typeof wordings;

/** What visitors agree to when they sign up. */
export const consentWording = wordings[CONSENT_VERSION];

/** The wording of a version; null if it is unknown. */
export function findWording(version: string | null): string | null {
  return Object.entries(wordings).find(([known]) => known === version)?.[1] ?? null;
}
