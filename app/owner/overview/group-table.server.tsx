import { scaleLinear } from "d3-scale";
import { type Dates, groupHref } from "#app/owner/entries/list-link.ts";
import type { Group, GroupKind } from "#app/owner/overview/group-stats.server.ts";
import { formatNumber, formatRate } from "#app/owner/ui/labels.ts";
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

interface Column {
  name: string;
  value: (group: Group) => string;
}

const visits: Column = { name: "Visits", value: (group) => formatNumber(group.visits) };
const people: Column = { name: "Joined", value: (group) => formatNumber(group.people) };
const rate: Column = { name: "Of visits", value: (group) => formatRate(group.people, group.visits) };
const confirmed: Column = {
  name: "Confirmed",
  value: (group) => (group.asked === 0 ? "–" : `${formatNumber(group.confirmed)} of ${formatNumber(group.asked)}`),
};

/** Groups with their numbers, a bar under each name, and links to their entries. */
export function GroupTable({ caption, kind, groups, unnamed, labels = {}, dates }: GroupTableProps) {
  const isShown = groups.some((group) => group.people > 0 || group.visits > 0);
  if (!isShown) return <p className="owner-none">{kind === "page" ? "No visits yet." : "No entries yet."}</p>;
  const columns = columnsOf(kind, groups);
  const measure = (group: Group) => (kind === "page" ? group.visits : group.people);
  const width = scaleLinear([0, Math.max(1, ...groups.map(measure))], [0, 100]);
  return (
    <table className={`owner-table group-table group-table-${columns.length}`}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          {columns.map(({ name }) => (
            <th key={name} scope="col" className="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <tr key={String(group.name)}>
            <th scope="row" className="words">
              <GroupName href={groupHref(kind, group, dates)}>
                {group.name === null ? "All others" : group.name === "" ? unnamed : wordFor(labels, group.name)}
              </GroupName>
              <svg className="group-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                <rect className="group-bar-ground" width="100" height="6" />
                <rect
                  className={group.name ? "group-bar-named" : "group-bar-rest"}
                  width={width(measure(group))}
                  height="6"
                />
              </svg>
            </th>
            {columns.map(({ name, value }) => (
              <td key={name} className="number" data-label={name}>
                {value(group)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Visits are not counted by form or role, nor people by page. */
function columnsOf(kind: GroupKind, groups: Group[]): Column[] {
  if (kind === "page") return [visits];
  const last = groups.some(({ asked }) => asked > 0) ? [confirmed] : [];
  return kind === "source" || kind === "role" ? [people, ...last] : [people, visits, rate, ...last];
}

function GroupName({ href, children }: { href: string | null; children: string }) {
  return href === null ? children : <a href={href}>{children}</a>;
}
