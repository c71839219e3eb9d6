import { and, type SQL, sql } from "drizzle-orm";
import type { AudienceDeps } from "#app/email/letters/audience.server.ts";
import { isInAudience } from "#app/email/letters/audience.server.ts";
import { MAX_STEPS } from "#app/email/series/step-days.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import type { RecipientReason } from "#app/server/db/schema/letters.server.ts";
import type { Step, StepAudience } from "#app/server/db/schema/series.server.ts";
import { CONFIRM_PERIOD } from "#app/waitlist/confirmation.ts";
import { followUpVersions } from "#app/waitlist/consent-wording.ts";

/**
 * When someone joined or, if they were asked to confirm their address, confirmed it. Rejoining does not change it, unless it is what confirms the address.
 */
export const joinedAt: SQL = sql`iif(${waitlistEmails.confirm_by} IS NULL, ${waitlistEmails.created_at},
  coalesce(${waitlistEmails.confirmed_at}, ${waitlistEmails.created_at}))`;

/** Whether someone joined within a time (milliseconds since 1970, `until` exclusive), by the index on sign-ups. */
export function joinedWithin(from: number, until: number): SQL {
  return sql`(${waitlistEmails.created_at} >= ${from - CONFIRM_PERIOD} AND ${waitlistEmails.created_at} < ${until}
    AND ${joinedAt} >= ${from} AND ${joinedAt} < ${until})`;
}

/**
 * The condition on `waitlist_emails` for people who may be sent a step: they may get email, are in its audience, are not
 * invited yet, and agreed to follow-up emails when they joined.
 */
export function mayGetStep(deps: AudienceDeps, audience: StepAudience | null): SQL | undefined {
  const versions = sql.join(
    followUpVersions.map((version) => sql`${version}`),
    sql`, `,
  );
  return and(
    isInAudience(deps, { filter: audience?.filter ?? {} }),
    sql`${waitlistEmails.invited_at} IS NULL`,
    sql`${waitlistEmails.consent_version} IN (${versions})`,
  );
}

/** The steps that someone in `waitlist_emails` is a recipient of: `other`, with its letter and, if it is not deleted, its step. */
export const otherSteps = sql`FROM letter_recipients AS other
  JOIN letters ON letters.id = other.letter_id AND letters.step_id IS NOT NULL
  LEFT JOIN series_steps ON series_steps.id = letters.step_id WHERE other.entry_id = waitlist_emails.id`;

/** Whether someone has a row for a step. */
export function hasStep({ id }: Pick<Step, "id">): SQL {
  return sql`EXISTS (SELECT 1 ${otherSteps} AND letters.step_id = ${id})`;
}

/** The branches of a `CASE` that says why someone is not sent a step on any day. */
export function notSentReasons({ days }: Pick<Step, "days">): SQL {
  const sent = sql`${otherSteps} AND other.state <> 'skipped'`;
  return sql`WHEN EXISTS (SELECT 1 ${sent} AND series_steps.days > ${days}) THEN ${"overtaken" satisfies RecipientReason}
    WHEN (SELECT count(*) ${sent}) >= ${MAX_STEPS} THEN ${"enough" satisfies RecipientReason}`;
}
