import type { UnsubscribeReason } from "#app/server/db/schema/entries.server.ts";
import { britishDate } from "#app/server/time/british-date.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { wordFor } from "#app/ui/word-for.ts";
import { confirmationOf } from "#app/waitlist/confirmation/confirmation.ts";
import type { Entry } from "#app/waitlist/entries/entries.server.ts";
import { DEFAULT_SOURCE, HELP_SOURCE } from "#app/waitlist/entries/sources.ts";
import type { Detail } from "#app/waitlist/my-data/entry-view.ts";
import type { OwnEntry } from "#app/waitlist/my-data/own-entry.server.ts";
import { consentText } from "#app/waitlist/sign-up/consent-wording.ts";

/** The consent that an entry holds, in words and dates in Britain; null without an entry. */
export function toConsentRecord(own: OwnEntry): Detail[] | null {
  if (own.kind !== "found") return null;
  const { consent_at, consent_version, consent_note, unsubscribed_at, unsubscribe_reason } = own.entry;
  const wording = consentText(consent_version);
  const withdrawn = dateOf(unsubscribed_at);
  const isUnconfirmed = confirmationOf(own.entry) === "unconfirmed";
  return toDetails([
    ["Signed up with", signUpForm(own.entry)],
    ["Agreed on", dateOf(consent_at)],
    // A note says how the others agreed.
    ["Wording", wording === null && consent_note === null ? "None stated" : quoted(wording)],
    ["How you agreed", quoted(consent_note)],
    ["Address confirmed", isUnconfirmed ? "Not yet" : dateOf(own.entry.confirmed_at)],
    [
      "Withdrawn",
      withdrawn === null || unsubscribe_reason === null
        ? withdrawn
        : `${withdrawn}, ${withdrawals[unsubscribe_reason]}`,
    ],
  ]);
}

/** Without those that have no value. */
export function toDetails(details: [name: string, value: string | null][]): Detail[] {
  return details.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
}

const withdrawals: Record<UnsubscribeReason, string> = {
  "own-choice": "by you",
  complaint: "because one of our emails was reported as spam",
  bounce: "because an email to you bounced",
  owner: "by us",
};

/** The form or list that a person signed up with, as they read it. */
export function signUpForm({ source, import_id, metadata }: Entry): string {
  if (metadata.signup_platform === "owner") return "We added you by hand";
  return import_id === null ? wordFor(forms, source) : "A list that we added you from";
}

const forms: Record<string, string> = {
  [DEFAULT_SOURCE]: "A form on our landing page",
  [HELP_SOURCE]: "The form under “Ways you can help”",
};

function quoted(text: string | null): string | null {
  return text === null ? null : `“${text}”`;
}

function dateOf(time: EpochMillis | null): string | null {
  return time === null ? null : britishDate(time).text;
}
