import type { Referral } from "#app/features/referrals/owner/decisions.server.ts";
import { ReachedMilestones, type ReachedProps } from "#app/features/referrals/owner/reached-milestones.server.tsx";
import type { ReferralsState } from "#app/features/referrals/owner/referrals-state.ts";
import { ReferralsToCheck } from "#app/features/referrals/owner/referrals-to-check.server.tsx";
import type { Funnel, Referrer } from "#app/features/referrals/owner/referrers.server.ts";
import { TopReferrers } from "#app/features/referrals/owner/top-referrers.server.tsx";
import { Tile } from "#app/owner/ui/data.server.tsx";
import { Outcome, Page } from "#app/owner/ui/page.server.tsx";
import { visits } from "#app/switches.ts";

interface ReferralsProps extends Omit<ReachedProps, "found"> {
  state: ReferralsState;
  funnel: Funnel;
  top: Referrer[];
  found: { referrals: Referral[]; hasNext: boolean };
  reached: ReachedProps["found"];
}

export function referralsView({ state, funnel, top, found, reached, milestones, timeZone }: ReferralsProps) {
  const hasMilestones = milestones.length > 0 || reached.reached.length > 0 || state.reached > 1;
  return (
    <Page title="Referrals" section="referrals">
      <Outcome />
      <p className="lead">Friends who joined through the personal links of people on the list. Only owners see this.</p>
      <dl className="tiles">
        <Tile name="People whose link brought someone" value={funnel.people} />
        {visits ? <Tile name="Visits through personal links" value={funnel.visits} /> : null}
        <Tile name="Joined through a link" value={funnel.joined} />
        <Tile name="Counted" value={funnel.counted} main />
      </dl>
      {funnel.joined === 0 && top.length === 0 ? (
        <p className="none">No one has joined through a personal link yet.</p>
      ) : (
        <ReferralsToCheck state={state} found={found} waiting={funnel.waiting} />
      )}
      {hasMilestones ? (
        <ReachedMilestones state={state} found={reached} milestones={milestones} timeZone={timeZone} />
      ) : null}
      <TopReferrers top={top} people={funnel.people} hasMilestones={hasMilestones} />
    </Page>
  );
}
