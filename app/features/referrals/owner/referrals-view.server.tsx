import {
  DecideForm,
  DecideManyForm,
  DecisionText,
  type RejectedNote,
} from "#app/features/referrals/owner/decide-form.server.tsx";
import type { Referral, ReferralList } from "#app/features/referrals/owner/referrals.server.ts";
import {
  entryLink,
  type ReferralsState,
  withReferralsState,
} from "#app/features/referrals/owner/referrals-state.server.tsx";
import type { Funnel, Referrer } from "#app/features/referrals/owner/referrers.server.ts";
import { Rewards, type RewardsProps } from "#app/features/referrals/owner/rewards-view.server.tsx";
import type { WaitingDomain } from "#app/features/referrals/owner/waiting.server.ts";
import { privateDomain } from "#app/features/referrals/private-domain.server.ts";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { type Column, Table, Tile } from "#app/owner/ui/data.server.tsx";
import { counted, formatNumber } from "#app/owner/ui/labels.ts";
import { Paging, Pills } from "#app/owner/ui/navigation.server.tsx";
import { Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import type { EpochMillis } from "#app/server/time/units.ts";
import { visits } from "#app/switches.ts";

interface ReferralsProps extends Omit<RewardsProps, "hasMilestones"> {
  funnel: Funnel;
  /** Those at which most friends wait, and when they were read. */
  domains: WaitingDomain[];
  seen: EpochMillis;
  rejected: (RejectedNote & { domain: string | null }) | undefined;
  top: Referrer[];
  found: { referrals: Referral[]; hasNext: boolean };
}

export function referralsView(props: ReferralsProps) {
  const { state, funnel, top, rewards, milestones } = props;
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
      <Rewards {...props} hasMilestones={hasMilestones} />
      <TopReferrers {...props} hasMilestones={hasMilestones} />
    </Page>
  );
}

const lists: Record<ReferralList, string> = { "to-check": "To look at", counted: "Counted" };

/** Referrals that await review, then those that were rejected; or those that count. */
function ReferralsToCheck(props: ReferralsProps) {
  const { state, found, domains } = props;
  const { list, page, of, domain } = state;
  const href = (change: Partial<ReferralsState>) => withReferralsState("/owner/referrals", { ...state, ...change });
  const showAll = <a href={href({ of: null, domain: null, page: 1 })}>Show everyone’s</a>;
  return (
    <Section id="check" title="Referrals to look at">
      {of === null ? null : (
        <p>
          {"Only the friends of "}
          <a href={`/owner/entries/${of}`}>one person</a>. {showAll}
        </p>
      )}
      {domain === null ? null : (
        <p>
          {`Only friends with addresses at ${domains[0] === undefined ? "one domain" : nameOf(domains[0])}. `}
          {showAll}
        </p>
      )}
      {list === "to-check" && page === 1 && of === null ? <WaitingFriends {...props} /> : null}
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

/** Those who wait, by domain. A single one is decided in the list. */
function WaitingFriends({ state, domains, seen, rejected, funnel: { awaitingReview } }: ReferralsProps) {
  if (awaitingReview === 0) return null;
  const waiting = <p>{`${counted(awaitingReview, "referral waits", "referrals wait")} for your decision.`}</p>;
  if (awaitingReview === 1 && rejected === undefined) return waiting;
  const action = withReferralsState("/owner/referrals", state);
  const shown = domains.reduce((sum, { friends }) => sum + friends, 0);
  const noteOf = (domain: string | null) => (rejected?.domain === domain ? rejected : undefined);
  return (
    <>
      {waiting}
      <Table
        className="cards middle domain-table"
        caption={
          shown < awaitingReview && state.domain === null ? `The ${domains.length} domains with most` : undefined
        }
        labelledBy="check"
        columns={[
          {
            name: "Domain",
            kind: "words",
            cell: (row) => (
              <a
                id={`domain-${row.domain}`}
                href={withReferralsState("/owner/referrals", { ...state, domain: row.domain })}
              >
                {nameOf(row)}
              </a>
            ),
          },
          { name: "Friends", cell: ({ friends }) => `${formatNumber(friends)} waiting` },
          { name: "Brought by", cell: ({ people }) => counted(people, "person", "people") },
          {
            name: "Decision",
            cell: ({ domain, friends }) => (
              <DecideManyForm
                label={`Decide about ${counted(friends, "friend", "friends")}`}
                describedBy={`domain-${domain}`}
                rejected={noteOf(domain)}
                {...{ action, domain, friends, seen }}
              />
            ),
          },
        ]}
        rows={domains}
        rowKey={({ domain }) => domain}
      />
      {state.domain !== null || domains.length < 2 ? null : (
        <DecideManyForm
          label={`Decide about all ${formatNumber(awaitingReview)} at once`}
          friends={awaitingReview}
          domain={null}
          rejected={noteOf(null)}
          {...{ action, seen }}
        />
      )}
    </>
  );
}

function nameOf({ example }: WaitingDomain): string {
  return privateDomain(example) ?? "one domain";
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
