import { type ReferralsState, withReferralsState } from "#app/features/referrals/owner/referrals-state.ts";
import { type Reached, rewardOf } from "#app/features/referrals/owner/rewards.server.ts";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { counted, formatTime } from "#app/owner/ui/labels.ts";
import { Paging } from "#app/owner/ui/navigation.server.tsx";
import { Advanced, Section } from "#app/owner/ui/page.server.tsx";
import type { Milestone } from "#app/site.ts";

export interface ReachedProps {
  state: ReferralsState;
  found: { reached: Reached[]; hasNext: boolean };
  milestones: readonly Milestone[];
  timeZone: string;
}

export function ReachedMilestones({ state, found, milestones, timeZone }: ReachedProps) {
  const page = state.reached;
  const href = (reached: number) => withReferralsState("/owner/referrals", { ...state, reached });
  return (
    <Section id="milestones" title="Milestones reached">
      <p>People reach milestones only while new people are asked to confirm their address.</p>
      <Advanced>
        milestones are set in app/site.ts (docs/referrals.md), and people confirm their address with CONFIRM_ADDRESSES.
      </Advanced>
      {found.reached.length === 0 ? (
        <p className="none">No one has reached a milestone yet.</p>
      ) : (
        <Table
          className="cards middle referral-table"
          caption={`Times in ${timeZone}, rewards to give first`}
          columns={[
            {
              name: "Person",
              kind: "words",
              cell: (reached) => (
                <a id={idOf(reached)} href={`/owner/entries/${reached.entryId}`}>
                  {reached.email}
                </a>
              ),
            },
            { name: "Milestone", kind: "words", cell: ({ friends }) => <Name friends={friends} all={milestones} /> },
            { name: "Reached", cell: ({ reachedAt }) => formatTime(reachedAt, timeZone) },
            {
              name: "Reward",
              cell: (reached) => <Reward reached={reached} state={state} timeZone={timeZone} />,
            },
          ]}
          rows={found.reached}
          rowKey={({ entryId, friends }) => `${entryId} ${friends}`}
        />
      )}
      <Paging
        label="Pages of milestones"
        links={{
          "First page": page > 1 && href(1),
          Previous: page > 1 && href(page - 1),
          Next: found.hasNext && href(page + 1),
        }}
      />
      {found.reached.length === 0 ? null : (
        <ButtonForm label="Download the milestones (CSV)" action="/owner/referrals/milestones.csv" />
      )}
    </Section>
  );
}

/** Of the link that names the person. */
function idOf({ entryId, friends }: Reached): string {
  return `reached-${entryId}-${friends}`;
}

function Name({ friends, all }: { friends: number; all: readonly Milestone[] }) {
  const reward = rewardOf(friends, all);
  return (
    <>
      {counted(friends, "friend", "friends")}
      {reward === null ? null : <small>{reward}</small>}
    </>
  );
}

function Reward({ reached, state, timeZone }: { reached: Reached; state: ReferralsState; timeZone: string }) {
  const { entryId, friends, rewardedAt } = reached;
  const isGiven = rewardedAt !== null;
  return (
    <ButtonForm
      className="row"
      action={withReferralsState(`/owner/referrals/${entryId}/reward`, state)}
      hidden={{ friends: String(friends) }}
      value={isGiven ? "take-back" : "give"}
      text={isGiven ? `Given ${formatTime(rewardedAt, timeZone)}` : undefined}
      label={isGiven ? "Undo" : "Mark as given"}
      describedBy={idOf(reached)}
    />
  );
}
