import { and, type SQL, sql } from "drizzle-orm";
import type { AudienceDeps } from "#app/email/letters/audience.server.ts";
import { isInAudience } from "#app/email/letters/audience.server.ts";
import type { StepAudience } from "#app/email/series/schema.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { CONFIRM_PERIOD } from "#app/waitlist/confirmation.ts";
import { followUpVersions } from "#app/waitlist/consent-wording.ts";

/**
 * When someone joined or, if they were asked to confirm their address, confirmed it. Who left and rejoins goes on from there.
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
