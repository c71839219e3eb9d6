import * as v from "valibot";
import { CHALLENGE_FIELD } from "#app/server/abuse/challenge-field.ts";
import { HONEYPOT_FIELD } from "#app/server/abuse/honeypot.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { campaignValue } from "#app/waitlist/entries/campaign.ts";
import { optionalColumnNames } from "#app/waitlist/entries/entry-columns.server.ts";
import { DEFAULT_SOURCE, sourceFormat } from "#app/waitlist/entries/sources.ts";
import { statedVersion, WORDING_FIELD } from "#app/waitlist/sign-up/consent-wording.ts";

export type SignUpFields = ReturnType<typeof parseSignUp>;

/**
 * Parses a sign-up's fields at every entry point: the form's action, `/api/signup` and `/api/send-welcome`. Never
 * throws: an invalid address or source is null, a missing source gets the default, and the wording is as
 * {@link statedVersion} returns it.
 */
export function parseSignUp(received: Record<string, unknown>) {
  const {
    email,
    source,
    via,
    [WORDING_FIELD]: wording,
    [HONEYPOT_FIELD]: honeypot,
    [CHALLENGE_FIELD]: challenge,
    ...columns
  } = v.parse(signUpSchema, received);
  return { email, source, via, wording, honeypot, challenge, columns };
}

const text = v.optional(v.pipe(v.unknown(), v.transform(campaignValue)), null);

const signUpSchema = v.object({
  email: v.optional(v.pipe(v.unknown(), v.transform(normaliseEmail)), null),
  source: v.nullish(v.fallback(v.nullable(v.pipe(v.string(), v.regex(sourceFormat.pattern))), null), DEFAULT_SOURCE),
  via: text,
  [WORDING_FIELD]: v.optional(v.pipe(v.unknown(), v.transform(statedVersion)), null),
  [HONEYPOT_FIELD]: v.optional(v.unknown()),
  [CHALLENGE_FIELD]: v.optional(v.unknown()),
  ...v.entriesFromList(optionalColumnNames, text),
});
