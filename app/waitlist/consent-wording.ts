/** The version that the form shows, stored with each sign-up as evidence of consent (GDPR, article 7). */
export const CONSENT_VERSION = "2026-11";

/** Every wording by version. Entries refer to them: add a version to change the wording, never edit one. */
export const wordings: ReadonlyMap<string | null, string> = new Map([
  [CONSENT_VERSION, "We send one welcome email, then only news of the launch, at most once a month."],
]);

/** What visitors agree to when they sign up; emails repeat the promise. */
export const consentWording = wordings.get(CONSENT_VERSION) ?? "";

/** The wording of a version; null if it is unknown. */
export function findWording(version: string | null): string | null {
  return wordings.get(version) ?? null;
}
