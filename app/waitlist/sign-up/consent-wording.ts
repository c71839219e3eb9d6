import * as switches from "#app/switches.ts";

/** A sentence that people agree to below a form. */
export interface ConsentWording {
  /** Stored with each sign-up as evidence of consent (GDPR, article 7). */
  version: string;
  text: string;
}

/** The field with the version of the wording that a form shows, which need not be the present one: pages are cached, and forms copied. */
export const WORDING_FIELD = "wording";

// Entries refer to these. Add a wording to change one, never edit it.
export const newsOnly: ConsentWording = {
  version: "2026-11",
  text: "We send one welcome email, then only news of the launch, at most once a month.",
};
export const withFollowUps: ConsentWording = {
  version: "2026-11-follow-ups",
  text: "We send a welcome email and up to five more, then only launch news, at most once a month.",
};

/** What forms show. Emails repeat what their reader agreed to. */
export function wordingFor(hasFollowUps: boolean): ConsentWording {
  return switches.letters && switches.series && hasFollowUps ? withFollowUps : newsOnly;
}

export const wordingTexts: Readonly<Record<string, string>> = {
  [newsOnly.version]: newsOnly.text,
  [withFollowUps.version]: withFollowUps.text,
};

/** @public The versions by which people agreed to follow-up emails. */
export const followUpVersions: readonly string[] = [withFollowUps.version];

export function consentText(version: string | null): string | null {
  return Object.entries(wordingTexts).find(([name]) => name === version)?.[1] ?? null;
}

/** The version that a form or a program states: null if it states none, undefined if this site has no such version. */
export function statedVersion(given: unknown): string | null | undefined {
  return given === undefined || given === null ? null : Object.keys(wordingTexts).find((version) => version === given);
}
