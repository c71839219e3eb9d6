import { and, inArray, isNull, type SQL } from "drizzle-orm";
import { type AudienceDeps, isInAudience } from "#app/features/letters/send/audience.server.ts";
import { MAX_STEPS } from "#app/features/letters/series/step-days.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import type { StepAudience } from "#app/server/db/schema/series.server.ts";
import { followUpVersions } from "#app/waitlist/sign-up/consent-wording.ts";

/**
 * When someone joined or, if they were asked to confirm their address, confirmed it. Rejoining does not change it, unless it is what confirms the address.
 */
export const JOINED_AT = `iif(waitlist_emails.confirm_by IS NULL, waitlist_emails.created_at,
  coalesce(waitlist_emails.confirmed_at, waitlist_emails.created_at))`;

/** Whether someone joined from `:from` until before `:until`, by the index on sign-ups: confirming takes `:confirm_period` at most. */
export const JOINED_WITHIN = `waitlist_emails.created_at >= :from - :confirm_period AND waitlist_emails.created_at < :until
        AND ${JOINED_AT} >= :from AND ${JOINED_AT} < :until`;

/**
 * The condition on `waitlist_emails` for people who may be sent a step: they may get email, are in its audience, are not
 * invited yet, and agreed to follow-up emails when they joined.
 */
export function mayGetStep(deps: AudienceDeps, audience: StepAudience | null): SQL | undefined {
  return and(
    isInAudience(deps, { filter: audience?.filter ?? {} }),
    isNull(waitlistEmails.invited_at),
    inArray(waitlistEmails.consent_version, [...followUpVersions]),
  );
}

/** The steps that someone in `waitlist_emails` is a recipient of: `other`, with its letter and, if it is not deleted, its step. */
export const OTHER_STEPS = `FROM letter_recipients AS other
          JOIN letters ON letters.id = other.letter_id AND letters.step_id IS NOT NULL
          LEFT JOIN series_steps ON series_steps.id = letters.step_id WHERE other.entry_id = waitlist_emails.id`;

export const HAS_STEP = `EXISTS (SELECT 1 ${OTHER_STEPS} AND letters.step_id = :step)`;

/** The branches of a `CASE` that says why someone is not sent a step that follows after `:days`, on any day. */
export const NOT_SENT_REASONS = `WHEN EXISTS (SELECT 1 ${OTHER_STEPS} AND other.state <> 'skipped' AND series_steps.days > :days)
          THEN 'overtaken'
        WHEN (SELECT count(*) ${OTHER_STEPS} AND other.state <> 'skipped') >= ${MAX_STEPS} THEN 'enough'`;
