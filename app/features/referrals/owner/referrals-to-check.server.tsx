import { DecideForm, RulingText } from "#app/features/referrals/owner/decide-form.server.tsx";
import type { Referral, ReferralList } from "#app/features/referrals/owner/decisions.server.ts";
import { type ReferralsState, withReferralsState } from "#app/features/referrals/owner/referrals-state.ts";
import { Table } from "#app/owner/ui/data.server.tsx";
import { counted } from "#app/owner/ui/labels.ts";
import { Paging, Pills } from "#app/owner/ui/navigation.server.tsx";
import { Section } from "#app/owner/ui/page.server.tsx";

interface ReferralsToCheckProps {
  state: ReferralsState;
  found: { referrals: Referral[]; hasNext: boolean };
  waiting: number;
}

const lists: Record<ReferralList, string> = { "to-check": "To look at", counted: "Counted" };

/** Referrals that wait for an owner, then those that were rejected; or those that count. */
export function ReferralsToCheck({ state, found, waiting }: ReferralsToCheckProps) {
  const { list, page, of } = state;
  const href = (change: Partial<ReferralsState>) => withReferralsState("/owner/referrals", { ...state, ...change });
  const shown = Object.entries(lists) as [ReferralList, string][];
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
      {waiting === 0 || of !== null ? null : (
        <p>{`${counted(waiting, "referral waits", "referrals wait")} for your decision.`}</p>
      )}
      <Pills
        label="Referrals"
        className="referral-lists"
        links={shown.map(([name, text]) => ({
          text,
          href: href({ list: name, page: 1 }),
          isCurrent: name === list,
        }))}
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
            { name: "Outcome", kind: "words", cell: (referral) => <RulingText {...referral} /> },
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

function entryLink(entry: number, email: string, id?: string) {
  return (
    <a id={id} href={`/owner/entries/${entry}`}>
      {email}
    </a>
  );
}
