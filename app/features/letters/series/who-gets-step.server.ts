import { and, inArray, isNull, type SQL } from "drizzle-orm";
import { type AudienceDeps, isInAudience } from "#app/features/letters/send/audience.server.ts";
import { MAX_STEPS } from "#app/features/letters/series/step-days.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import type { StepAudience } from "#app/server/db/schema/series.server.ts";
import { followUpVersions } from "#app/waitlist/sign-up/consent-wording.ts";

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

/**
 * For a `WITH`: `other_step`, the steps that someone is a recipient of (its `days` are null if it is deleted), and
 * `candidate`, the people who joined from `:from` until before `:until` and have not been recipients of the step `:step`, which
 * follows after `:days`. A `reason` says why someone is not sent it, on any day.
 *
 * Someone has `joined` when they did or, if they were asked to confirm their address, confirmed it. Rejoining does not change
 * that, unless it is what confirms the address. People are found by the index on sign-ups: confirming takes
 * `:confirm_period` at most. Not materialised, so that the steps are looked up for each person, by index.
 */
export const STEP_CANDIDATES = `other_step AS NOT MATERIALIZED (
  SELECT other.entry_id, other.state, other.done_at, letters.step_id, series_steps.days
  FROM letter_recipients AS other
  JOIN letters ON letters.id = other.letter_id AND letters.step_id IS NOT NULL
  LEFT JOIN series_steps ON series_steps.id = letters.step_id
),
person AS NOT MATERIALIZED (
  SELECT id, iif(confirm_by IS NULL, created_at, coalesce(confirmed_at, created_at)) AS joined FROM waitlist_emails
  WHERE created_at >= :from - :confirm_period AND created_at < :until AND joined >= :from AND joined < :until
    AND {audience}
),
candidate AS NOT MATERIALIZED (
  SELECT id, joined, CASE
    WHEN EXISTS (SELECT 1 FROM other_step WHERE entry_id = person.id AND state <> 'skipped' AND days > :days) THEN 'overtaken'
    WHEN (SELECT count(*) FROM other_step WHERE entry_id = person.id AND state <> 'skipped') >= ${MAX_STEPS} THEN 'enough'
    WHEN joined < :late_before THEN 'late'
    END AS reason
  FROM person WHERE NOT EXISTS (SELECT 1 FROM other_step WHERE entry_id = person.id AND step_id = :step)
)`;
