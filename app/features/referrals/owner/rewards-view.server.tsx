import {
  entryLink,
  type ReferralsState,
  withReferralsState,
} from "#app/features/referrals/owner/referrals-state.server.tsx";
import { type ReachedMilestone, rewardOf } from "#app/features/referrals/owner/rewards.server.ts";
import { Actions, Button, ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Paging } from "#app/owner/ui/navigation.server.tsx";
import { Advanced, Section } from "#app/owner/ui/page.server.tsx";
import { everyMilestone } from "#app/server/config/settings.server.ts";
import type { Milestone } from "#app/site.ts";

export interface RewardsProps {
  state: ReferralsState;
  milestones: readonly Milestone[];
  rewards: { reached: ReachedMilestone[]; hasNext: boolean };
  /** Whether there are milestones, or were. */
  hasMilestones: boolean;
  mustConfirm: boolean;
  /** The pages that change the rewards and confirmation; absent without settings on a page. */
  pages: { rewards?: string | undefined; signUps?: string | undefined };
  timeZone: string;
}

/** What rewards there are, who has reached one, and which were given. */
export function Rewards(props: RewardsProps) {
  const { milestones, mustConfirm, hasMilestones, pages } = props;
  return (
    <Section id="rewards" title="Rewards">
      {milestones.length > 0 ? null : (
        <p>
          A reward is what you promise to everyone whose link brings a number of friends, such as a free stall fee for
          three. There is none now: people see their link, and how many friends have joined through it.
        </p>
      )}
      {milestones.length === 0 ? null : (
        <ul>
          {milestones.map(({ friends, reward }) => (
            <li key={friends}>{`${counted(friends, "friend", "friends")}: ${reward}`}</li>
          ))}
        </ul>
      )}
      <p>
        {mustConfirm
          ? "Confirmation is on: a friend counts once they have confirmed their address, and brings their person closer to a reward."
          : "Confirmation is off: friends count a day after joining, but bring no one to a reward. That needs people to confirm their address."}
      </p>
      <ToChange pages={pages} />
      {hasMilestones ? <ReachedMilestones {...props} /> : null}
    </Section>
  );
}

function ToChange({ pages: { rewards, signUps } }: Pick<RewardsProps, "pages">) {
  if (rewards === undefined || signUps === undefined) {
    return (
      <Advanced>
        rewards are milestones in app/site.ts, and people confirm their address with CONFIRM_ADDRESSES
        (docs/referrals.md).
      </Advanced>
    );
  }
  return (
    <p className="row">
      <a className="quiet-link" href={rewards}>
        Change the rewards
      </a>
      <a className="quiet-link" href={signUps}>
        Change whether people confirm
      </a>
    </p>
  );
}

/** The form of the ticks, which stand in the table outside it: its rows have forms of their own. */
const FORM = "give-rewards";

function ReachedMilestones({ state, rewards: { reached, hasNext }, timeZone }: RewardsProps) {
  const page = state.reached;
  const href = (to: number) => withReferralsState("/owner/referrals", { ...state, reached: to });
  const action = withReferralsState("/owner/referrals/rewards", state);
  return (
    <>
      {reached.length === 0 ? (
        <p className="none">No one has reached a milestone yet.</p>
      ) : (
        <Table
          className="cards middle referral-table"
          caption={`Times in ${timeZone}, rewards to give first`}
          columns={[
            {
              name: "Person",
              kind: "words",
              cell: (milestone) => entryLink(milestone.entryId, milestone.email, linkIdOf(milestone)),
            },
            {
              name: "Milestone",
              kind: "words",
              cell: ({ friends }) => <MilestoneName friends={friends} />,
            },
            { name: "Reached", cell: ({ reachedAt }) => formatTime(reachedAt, timeZone) },
            { name: "Reward", cell: (milestone) => <Reward {...milestone} action={action} timeZone={timeZone} /> },
          ]}
          rows={reached}
          rowKey={keyOf}
        />
      )}
      <GiveForm action={action} toGive={reached.filter(({ rewardedAt }) => rewardedAt === null)} />
      <Paging
        label="Pages of milestones"
        links={{
          "First page": page > 1 && href(1),
          Previous: page > 1 && href(page - 1),
          Next: hasNext && href(page + 1),
        }}
      />
      {reached.length === 0 ? null : (
        <ButtonForm label="Download the milestones (CSV)" action="/owner/referrals/milestones.csv" />
      )}
    </>
  );
}

/** Marks what is ticked as given, or all that the page shows. */
function GiveForm({ action, toGive }: { action: string; toGive: ReachedMilestone[] }) {
  if (toGive.length === 0) return null;
  return (
    <form id={FORM} className="flush" method="post" action={action}>
      {toGive.map((milestone) => (
        <input key={keyOf(milestone)} type="hidden" name="shown" value={keyOf(milestone)} />
      ))}
      <Actions>
        <Button label="Mark what is ticked as given" value="give-ticked" />
        {toGive.length === 1 ? null : (
          <Button
            label={`Mark all ${formatNumber(toGive.length)} on this page as given`}
            kind="quiet"
            value="give-shown"
          />
        )}
      </Actions>
    </form>
  );
}

/** As forms name it: its entry and its number of friends. */
function keyOf({ entryId, friends }: ReachedMilestone): string {
  return `${entryId}.${friends}`;
}

/** Of the link that names the person. */
function linkIdOf({ entryId, friends }: ReachedMilestone): string {
  return `reached-${entryId}-${friends}`;
}

function MilestoneName({ friends }: { friends: number }) {
  const reward = rewardOf(friends, everyMilestone());
  return (
    <>
      {counted(friends, "friend", "friends")}
      {reward === null ? null : <small>{reward}</small>}
    </>
  );
}

function Reward({ action, timeZone, ...milestone }: ReachedMilestone & { action: string; timeZone: string }) {
  const { rewardedAt } = milestone;
  if (rewardedAt === null) {
    return (
      <div className="choice">
        <label>
          <input
            type="checkbox"
            name="reward"
            value={keyOf(milestone)}
            form={FORM}
            aria-describedby={linkIdOf(milestone)}
          />
          Given
        </label>
      </div>
    );
  }
  return (
    <ButtonForm
      className="row"
      action={action}
      hidden={{ reward: keyOf(milestone) }}
      value="take-back"
      text={`Given ${formatTime(rewardedAt, timeZone)}`}
      label="Undo"
      describedBy={linkIdOf(milestone)}
    />
  );
}
