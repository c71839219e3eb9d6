import type { FeatureServer } from "#app/feature.ts";
import { decideReferrals, forgetReferred, reachMilestones } from "#app/features/referrals/decide.server.ts";
import { referralHooks } from "#app/features/referrals/entry-hooks.server.ts";
import { referralsSection } from "#app/features/referrals/owner/section.server.ts";
import { siteSettings } from "#app/server/config/settings.server.ts";
import type { AppContext } from "#app/server/context.ts";
import type { CronRun } from "#app/server/cron.ts";
import { logInfo } from "#app/server/log.ts";
import { isLastRunOfHour, isMiddleRunOfHour } from "#app/server/time/calendar.ts";

export const server: FeatureServer = {
  sections: [referralsSection],
  entryHooks: referralHooks,
  steps: { countReferrals },
};

/** Does one thing at a time: some runs of an hour have more else to do, and few statements left. */
async function countReferrals(
  { db, now, mustConfirm }: AppContext,
  { startedAt, subrequests }: CronRun,
): Promise<void> {
  const { milestones } = siteSettings();
  if (isLastRunOfHour(startedAt)) return forgetReferred(db, now());
  if (isMiddleRunOfHour(startedAt)) return reachMilestones(db, now(), mustConfirm ? milestones : []);
  const decided = await decideReferrals(db, now(), { mustConfirm, milestones, mayWrite: subrequests });
  if (decided > 0) logInfo("referrals-decided", { referrals: decided });
}
