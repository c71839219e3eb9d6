import { scaleLinear } from "d3-scale";
import { ANSWERED, type Group, type GroupKind } from "#app/owner/overview/group-stats.server.ts";
import { type Dates, groupHref } from "#app/owner/overview/list-links.ts";
import type { Stats } from "#app/owner/overview/stats.server.ts";
import { type Column, Table } from "#app/owner/ui/data.server.tsx";
import { formatNumber, formatRate } from "#app/owner/ui/labels.ts";
import { questions } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { wordFor } from "#app/ui/word-for.ts";
import { answerField, isAnswerField } from "#app/waitlist/questions/answers.ts";
import { sourceNames } from "#app/waitlist/sources.ts";

interface Origin {
  kind: GroupKind;
  heading: string;
  caption: string;
  /** The label of the group with an empty name. */
  unnamed: string;
  /** What people read for a name. */
  labels?: Readonly<Record<string, string>>;
}

const links: Origin[] = [
  {
    kind: "utm_source",
    heading: "By campaign source",
    caption: "Where people found the link they followed",
    unnamed: "Untagged",
  },
  {
    kind: "utm_campaign",
    heading: "By campaign",
    caption: "What the link they followed was for",
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
  ...questions.map(
    (question): Origin => ({
      kind: answerField(question),
      heading: `By ${question.label.toLowerCase()}`,
      caption: `Answers to “${question.wording}”`,
      unnamed: "No answer",
      labels: question.answers ?? { [ANSWERED]: "Answered" },
    }),
  ),
  {
    kind: "source",
    heading: "By source",
    caption: "The form that people joined with",
    unnamed: "No source",
    labels: sourceNames,
  },
  ...(switches.visits
    ? [{ kind: "page", heading: "By landing page", caption: "Where visits began", unnamed: "" } as const]
    : []),
];

/** Where people came from in the chosen period. Every row leads to its entries. */
export function Origins({ stats: { groups }, dates }: { stats: Stats; dates: Dates }) {
  const toSection = ({ heading, ...origin }: Origin) => (
    <section key={origin.kind} aria-labelledby={`by-${origin.kind}`}>
      <h2 id={`by-${origin.kind}`}>{heading}</h2>
      <GroupTable {...origin} groups={groups[origin.kind] ?? []} dates={dates} />
    </section>
  );
  return (
    <>
      {links.map(toSection)}
      <div className="group-columns">{others.map(toSection)}</div>
    </>
  );
}

interface GroupTableProps {
  caption: string;
  kind: GroupKind;
  groups: Group[];
  /** The label of the group with an empty name. */
  unnamed: string;
  /** What people read for a name. */
  labels?: Readonly<Record<string, string>>;
  dates: Dates;
}

const visits = number("Visits", (group) => formatNumber(group.visits));
const people = number("Joined", (group) => formatNumber(group.people));
const rate = number("Conversion", (group) => formatRate(group.people, group.visits));
const confirmed = number("Confirmed", (group) =>
  group.asked === 0 ? "–" : `${formatNumber(group.confirmed)} of ${formatNumber(group.asked)}`,
);

function number(name: string, cell: Column<Group>["cell"]): Column<Group> {
  return { name, kind: "number", cell };
}

/** Groups with their numbers, a bar under each name, and links to their entries. */
function GroupTable({ caption, kind, groups, unnamed, labels = {}, dates }: GroupTableProps) {
  const isShown = groups.some((group) => group.people > 0 || group.visits > 0);
  if (!isShown) return <p className="none">{kind === "page" ? "No visits yet." : "No entries yet."}</p>;
  const columns = columnsOf(kind, groups);
  const measure = (group: Group) => (kind === "page" ? group.visits : group.people);
  const width = scaleLinear([0, Math.max(1, ...groups.map(measure))], [0, 100]);
  const nameOf = ({ name }: Group) => (name === null ? "All others" : name === "" ? unnamed : wordFor(labels, name));
  const cell = (group: Group) => (
    <>
      <GroupName href={groupHref(kind, group, dates)}>{nameOf(group)}</GroupName>
      <svg className="group-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="6" fill="var(--border)" />
        <rect width={width(measure(group))} height="6" fill={group.name ? "var(--primary)" : "var(--edge)"} />
      </svg>
    </>
  );
  return (
    <Table
      className={`group-table group-table-${columns.length} ${columns.length > 2 ? "cards" : ""}`}
      caption={caption}
      columns={[{ name: "Name", kind: "words", cell }, ...columns]}
      rows={groups}
      rowKey={({ name }) => String(name)}
    />
  );
}

/** Visits are not counted by form or answer, nor people by page. */
function columnsOf(kind: GroupKind, groups: Group[]): Column<Group>[] {
  if (kind === "page") return [visits];
  const last = groups.some(({ asked }) => asked > 0) ? [confirmed] : [];
  return kind === "source" || isAnswerField(kind)
    ? [people, ...last]
    : [people, ...(switches.visits ? [visits, rate] : []), ...last];
}

function GroupName({ href, children }: { href: string | null; children: string }) {
  return href === null ? children : <a href={href}>{children}</a>;
}
