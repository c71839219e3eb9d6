import { britishDate } from "#app/server/time/british-date.ts";
import { wordFor } from "#app/ui/word-for.ts";
import { confirmationOf } from "#app/waitlist/confirmation/confirmation.ts";
import type { Entry } from "#app/waitlist/entries/entries.server.ts";
import { DEFAULT_SOURCE, HELP_SOURCE } from "#app/waitlist/entries/sources.ts";
import type { OwnEntry } from "#app/waitlist/my-data/own-entry.server.ts";
import { consentText } from "#app/waitlist/sign-up/consent-wording.ts";

export type ConsentRecord = NonNullable<ReturnType<typeof toConsentRecord>>;

/** The consent that an entry holds, in words and dates in Britain; null without an entry. */
export function toConsentRecord(own: OwnEntry) {
  if (own.kind !== "found") return null;
  const { consent_at, consent_version, consent_note, confirmed_at, unsubscribed_at, unsubscribe_reason } = own.entry;
  return {
    agreed: dateOf(consent_at),
    wording: consentText(consent_version),
    note: consent_note,
    form: signUpForm(own.entry),
    confirmation: confirmationOf(own.entry),
    confirmed: dateOf(confirmed_at),
    unsubscribed: dateOf(unsubscribed_at),
    unsubscribeReason: unsubscribe_reason,
  };
}

/** The form or list that a person signed up with, as they read it. */
export function signUpForm({ source, import_id, metadata }: Entry): string {
  if (metadata.signup_platform === "owner") return "We added you by hand";
  return import_id === null ? wordFor(forms, source) : "A list that we added you from";
}

const forms: Record<string, string> = {
  [DEFAULT_SOURCE]: "A form on our landing page",
  [HELP_SOURCE]: "The form under “Ways you can help”",
};

function dateOf(time: number | null): string | null {
  return time === null ? null : britishDate(time).text;
}
