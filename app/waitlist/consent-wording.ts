import * as switches from "#app/switches.ts";

/** The wording that allows follow-up emails. */
const WITH_FOLLOW_UPS = "2026-11-follow-ups";

/** The version that the form shows, stored with each sign-up as evidence of consent (GDPR, article 7). */
export const CONSENT_VERSION = switches.letters && switches.series ? WITH_FOLLOW_UPS : "2026-11";

/** Every wording by version. Entries refer to them: add a version to change the wording, never edit one. */
const wordings: ReadonlyMap<string | null, string> = new Map([
  ["2026-11", "We send one welcome email, then only news of the launch, at most once a month."],
  [
    WITH_FOLLOW_UPS,
    "We send one welcome email, up to five about our plans, then only news of the launch, at most once a month.",
  ],
]);

/** The versions by which people agreed to follow-up emails. */
export const followUpVersions: readonly string[] = [WITH_FOLLOW_UPS];

/** What people agreed to, by version. */
export const wordingTexts: Readonly<Record<string, string>> = Object.fromEntries(wordings);

/** What visitors agree to when they sign up; emails repeat the promise. */
export const consentWording = wordings.get(CONSENT_VERSION) ?? "";

/** The wording of a version; null if it is unknown. */
export function findWording(version: string | null): string | null {
  return wordings.get(version) ?? null;
}
