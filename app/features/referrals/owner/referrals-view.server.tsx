import { DecideForm, DecisionText } from "#app/features/referrals/owner/decide-form.server.tsx";
import type { Referral, ReferralList } from "#app/features/referrals/owner/referrals.server.ts";
import type { Funnel, Referrer } from "#app/features/referrals/owner/referrers.server.ts";
import { type ReachedMilestone, rewardOf } from "#app/features/referrals/owner/rewards.server.ts";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { type Column, Table, Tile } from "#app/owner/ui/data.server.tsx";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Paging, Pills } from "#app/owner/ui/navigation.server.tsx";
import { Advanced, Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import { milestones } from "#app/site.ts";
import { visits } from "#app/switches.ts";

/** What the URL of the page says: which list it shows, and the pages of its lists, from 1 on. */
export interface ReferralsState {
  list: ReferralList;
  page: number;
  /** Whose friends it shows; null for everyone's. */
  of: number | null;
  /** Of the milestones. */
  reached: number;
}

/** A path with the state: the page itself, or what its forms post to. */
export function withReferralsState(path: string, { list, page, of, reached }: ReferralsState, done?: string): string {
  const search = new URLSearchParams();
  if (list !== "to-check") search.set("list", list);
  if (page > 1) search.set("page", String(page));
  if (of !== null) search.set("of", String(of));
  if (reached > 1) search.set("reached", String(reached));
  if (done !== undefined) search.set("done", done);
  return search.size === 0 ? path : `${path}?${search}`;
}

interface ReferralsProps {
  state: ReferralsState;
  funnel: Funnel;
  top: Referrer[];
  found: { referrals: Referral[]; hasNext: boolean };
  rewards: { reached: ReachedMilestone[]; hasNext: boolean };
  timeZone: string;
}

export function referralsView(props: ReferralsProps) {
  const { state, funnel, top, rewards } = props;
  const hasMilestones = milestones.length > 0 || rewards.reached.length > 0 || state.reached > 1;
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
        <ReferralsToCheck {...props} />
      )}
      {hasMilestones ? <ReachedMilestones {...props} /> : null}
      <TopReferrers {...props} hasMilestones={hasMilestones} />
    </Page>
  );
}

const lists: Record<ReferralList, string> = { "to-check": "To look at", counted: "Counted" };

/** Referrals that await review, then those that were rejected; or those that count. */
function ReferralsToCheck({ state, found, funnel: { awaitingReview } }: ReferralsProps) {
  const { list, page, of } = state;
  const href = (change: Partial<ReferralsState>) => withReferralsState("/owner/referrals", { ...state, ...change });
  return (
    <Section id="check" title="Referrals to look at">
      {of === null ? null : (
        <p>
          {"Only the friends of "}
          <a href={`/owner/entries/${of}`}>one person</a>
          {". "}
          <a href={href({ of: null, page: 1 })}>Show everyone’s</a>
        </p>
      )}
      {awaitingReview === 0 || of !== null ? null : (
        <p>{`${counted(awaitingReview, "referral waits", "referrals wait")} for your decision.`}</p>
      )}
      <Pills
        label="Referrals"
        className="spaced"
        links={(["to-check", "counted"] as const).map((name) => {
          return { text: lists[name], href: href({ list: name, page: 1 }), isCurrent: name === list };
        })}
      />
      {found.referrals.length === 0 ? (
        <p className="none">{list === "counted" ? "No referral counts yet." : "Nothing to look at."}</p>
      ) : (
        <Table
          className="cards middle referral-table"
          labelledBy="check"
          columns={[
            {
              name: "Friend",
              kind: "words",
              cell: ({ entryId, email }) => entryLink(entryId, email, `friend-${entryId}`),
            },
            {
              name: "Brought by",
              kind: "words",
              cell: ({ referrerId, referrerEmail }) => entryLink(referrerId, referrerEmail),
            },
            { name: "Outcome", kind: "words", cell: (referral) => <DecisionText {...referral} /> },
            {
              name: "Decision",
              cell: (referral) => (
                <DecideForm
                  referral={referral}
                  action={withReferralsState(`/owner/referrals/${referral.entryId}`, state)}
                  describedBy={`friend-${referral.entryId}`}
                />
              ),
            },
          ]}
          rows={found.referrals}
          rowKey={({ entryId }) => entryId}
        />
      )}
      <Paging
        label="Pages of referrals"
        links={{
          "First page": page > 1 && href({ page: 1 }),
          Previous: page > 1 && href({ page: page - 1 }),
          Next: found.hasNext && href({ page: page + 1 }),
        }}
      />
    </Section>
  );
}

function ReachedMilestones({ state, rewards: { reached, hasNext }, timeZone }: ReferralsProps) {
  const page = state.reached;
  const href = (to: number) => withReferralsState("/owner/referrals", { ...state, reached: to });
  return (
    <Section id="milestones" title="Milestones reached">
      <p>People reach milestones only while new people are asked to confirm their address.</p>
      <Advanced>
        milestones are set in app/site.ts (docs/referrals.md), and people confirm their address with CONFIRM_ADDRESSES.
      </Advanced>
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
            { name: "Milestone", kind: "words", cell: ({ friends }) => <MilestoneName friends={friends} /> },
            { name: "Reached", cell: ({ reachedAt }) => formatTime(reachedAt, timeZone) },
            { name: "Reward", cell: (milestone) => <Reward {...milestone} state={state} timeZone={timeZone} /> },
          ]}
          rows={reached}
          rowKey={({ entryId, friends }) => `${entryId} ${friends}`}
        />
      )}
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
    </Section>
  );
}

/** Of the link that names the person. */
function linkIdOf({ entryId, friends }: ReachedMilestone): string {
  return `reached-${entryId}-${friends}`;
}

function MilestoneName({ friends }: { friends: number }) {
  const reward = rewardOf(friends, milestones);
  return (
    <>
      {counted(friends, "friend", "friends")}
      {reward === null ? null : <small>{reward}</small>}
    </>
  );
}

function Reward({ state, timeZone, ...milestone }: ReachedMilestone & Pick<ReferralsProps, "state" | "timeZone">) {
  const { entryId, friends, rewardedAt } = milestone;
  const isGiven = rewardedAt !== null;
  return (
    <ButtonForm
      className="row"
      action={withReferralsState(`/owner/referrals/${entryId}/reward`, state)}
      hidden={{ friends: String(friends) }}
      value={isGiven ? "take-back" : "give"}
      text={isGiven ? `Given ${formatTime(rewardedAt, timeZone)}` : undefined}
      label={isGiven ? "Undo" : "Mark as given"}
      describedBy={linkIdOf(milestone)}
    />
  );
}

function TopReferrers({ top, funnel: { people }, hasMilestones }: ReferralsProps & { hasMilestones: boolean }) {
  if (top.length === 0) return null;
  const reached: Column<Referrer> = {
    name: "Milestones",
    kind: "number",
    isExtra: true,
    cell: ({ milestones }) => milestones ?? "–",
  };
  return (
    <Section id="top" title="Top referrers">
      <Table
        className="narrow referrer-table"
        caption={people > top.length ? `The first ${top.length} of ${formatNumber(people)}` : undefined}
        labelledBy="top"
        columns={[
          { name: "Person", kind: "words", cell: ({ entryId, email }) => entryLink(entryId, email) },
          { name: "Joined", kind: "number", cell: ({ joined }) => formatNumber(joined) },
          { name: "Counted", kind: "number", cell: ({ counted }) => formatNumber(counted) },
          ...(hasMilestones ? [reached] : []),
        ]}
        rows={top}
        rowKey={({ entryId }) => entryId}
      />
      <ButtonForm label="Download all referrers (CSV)" action="/owner/referrals/referrers.csv" />
    </Section>
  );
}

export function entryLink(entry: number, email: string, id?: string) {
  return (
    <a id={id} href={`/owner/entries/${entry}`}>
      {email}
    </a>
  );
}
