import type { GroupKind } from "#app/owner/overview/group-stats.server.ts";
import { GroupTable } from "#app/owner/overview/group-table.server.tsx";
import type { Dates } from "#app/owner/overview/list-links.ts";
import type { Stats } from "#app/owner/overview/stats.server.ts";
import { roleNames } from "#app/owner/ui/labels.ts";
import { sourceNames } from "#app/waitlist/sources.ts";

interface Origin {
  kind: GroupKind;
  heading: string;
  caption: string;
  /** The label of the group with an empty name. */
  unnamed: string;
  /** What people read for a name. */
  labels?: Record<string, string>;
}

const links: Origin[] = [
  {
    kind: "utm_source",
    heading: "By campaign source",
    caption: "Where people found the link they followed (utm_source)",
    unnamed: "No label",
  },
  {
    kind: "utm_campaign",
    heading: "By campaign",
    caption: "What the link they followed was for (utm_campaign)",
    unnamed: "No campaign",
  },
  {
    kind: "referrer_host",
    heading: "By referring site",
    caption: "The site whose link people followed",
    unnamed: "No site: typed, scanned or from an app",
  },
];

const others: Origin[] = [
  { kind: "role", heading: "By role", caption: "What brings people here", unnamed: "No answer", labels: roleNames },
  {
    kind: "source",
    heading: "By source",
    caption: "The form that people joined with",
    unnamed: "No source",
    labels: sourceNames,
  },
  { kind: "page", heading: "By landing page", caption: "Where visits began", unnamed: "" },
];

/** Where people came from in the chosen period. Every row leads to its entries. */
export function Origins({ stats: { groups }, dates }: { stats: Stats; dates: Dates }) {
  const toSection = ({ heading, ...origin }: Origin) => (
    <section key={origin.kind} aria-labelledby={`by-${origin.kind}`}>
      <h2 id={`by-${origin.kind}`}>{heading}</h2>
      <GroupTable {...origin} groups={groups[origin.kind]} dates={dates} />
    </section>
  );
  return (
    <>
      {links.map(toSection)}
      <div className="group-columns">{others.map(toSection)}</div>
    </>
  );
}
