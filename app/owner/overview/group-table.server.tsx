import { scaleLinear } from "d3-scale";
import type { Group, GroupKind } from "#app/owner/overview/group-stats.server.ts";
import { type Dates, groupHref } from "#app/owner/overview/list-links.ts";
import { formatNumber, formatRate } from "#app/owner/ui/labels.ts";
import { type Column, Table } from "#app/owner/ui/table.server.tsx";
import { wordFor } from "#app/ui/word-for.ts";

interface GroupTableProps {
  caption: string;
  kind: GroupKind;
  groups: Group[];
  /** The label of the group with an empty name. */
  unnamed: string;
  /** What people read for a name. */
  labels?: Record<string, string>;
  dates: Dates;
}

const visits = number("Visits", (group) => formatNumber(group.visits));
const people = number("Joined", (group) => formatNumber(group.people));
const rate = number("Of visits", (group) => formatRate(group.people, group.visits));
const confirmed = number("Confirmed", (group) =>
  group.asked === 0 ? "–" : `${formatNumber(group.confirmed)} of ${formatNumber(group.asked)}`,
);

function number(name: string, cell: Column<Group>["cell"]): Column<Group> {
  return { name, kind: "number", cell };
}

/** Groups with their numbers, a bar under each name, and links to their entries. */
export function GroupTable({ caption, kind, groups, unnamed, labels = {}, dates }: GroupTableProps) {
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
      className={`group-table group-table-${columns.length}`}
      caption={caption}
      columns={[{ name: "Name", kind: "words", cell }, ...columns]}
      rows={groups}
      rowKey={({ name }) => String(name)}
    />
  );
}

/** Visits are not counted by form or role, nor people by page. */
function columnsOf(kind: GroupKind, groups: Group[]): Column<Group>[] {
  if (kind === "page") return [visits];
  const last = groups.some(({ asked }) => asked > 0) ? [confirmed] : [];
  return kind === "source" || kind === "role" ? [people, ...last] : [people, visits, rate, ...last];
}

function GroupName({ href, children }: { href: string | null; children: string }) {
  return href === null ? children : <a href={href}>{children}</a>;
}
