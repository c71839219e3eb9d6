import * as switches from "#app/switches.ts";

const NEWS_ONLY = "2026-11";
const WITH_FOLLOW_UPS = "2026-11-follow-ups";

const newsOnly = "We send one welcome email, then only news of the launch, at most once a month.";
const withFollowUps = "We send a welcome email and up to five more, then only launch news, at most once a month.";

/** The version that the form shows, stored with each sign-up as evidence of consent (GDPR, article 7). */
export const CONSENT_VERSION = switches.letters && switches.series ? WITH_FOLLOW_UPS : NEWS_ONLY;

/** What visitors agree to when they sign up; emails repeat the promise. Browsers load this one wording only. */
export const consentWording = switches.letters && switches.series ? withFollowUps : newsOnly;

/** Every wording by version. Entries refer to them: add a version to change the wording, never edit one. */
export const wordingTexts: Readonly<Record<string, string>> = {
  [NEWS_ONLY]: newsOnly,
  [WITH_FOLLOW_UPS]: withFollowUps,
};

/** The versions by which people agreed to follow-up emails. */
export const followUpVersions: readonly string[] = [WITH_FOLLOW_UPS];

/** The wording of a version; null if it is unknown. */
export function findWording(version: string | null): string | null {
  return Object.entries(wordingTexts).find(([name]) => name === version)?.[1] ?? null;
}
