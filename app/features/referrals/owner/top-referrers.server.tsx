import type { Referrer } from "#app/features/referrals/owner/referrers.server.ts";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { type Column, Table } from "#app/owner/ui/data.server.tsx";
import { formatNumber } from "#app/owner/ui/labels.ts";
import { Section } from "#app/owner/ui/page.server.tsx";

interface TopReferrersProps {
  top: Referrer[];
  /** How many people there are in all. */
  people: number;
  hasMilestones: boolean;
}

/** Who has brought most friends; nothing while no one has brought any. */
export function TopReferrers({ top, people, hasMilestones }: TopReferrersProps) {
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
        className="referrer-table"
        caption={people > top.length ? `The first ${top.length} of ${formatNumber(people)}` : undefined}
        labelledBy="top"
        columns={[
          {
            name: "Person",
            kind: "words",
            cell: ({ entryId, email }) => <a href={`/owner/entries/${entryId}`}>{email}</a>,
          },
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
