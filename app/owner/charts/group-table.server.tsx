import { scaleLinear } from "d3-scale";
import { formatNumber } from "#app/owner/labels.ts";
import type { Group } from "#app/owner/stats.server.ts";

interface GroupTableProps {
  caption: string;
  groups: Group[];
  /** The label of the group with an empty name. */
  unnamed: string;
}

/** Groups with their counts, and a bar under each name. */
export function GroupTable({ caption, groups, unnamed }: GroupTableProps) {
  const width = scaleLinear([0, Math.max(1, ...groups.map(({ people }) => people))], [0, 100]);
  if (groups.length === 0) return <p className="owner-none">No entries yet.</p>;
  return (
    <table className="owner-table group-table">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col" className="number">
            People
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ name, people }) => (
          <tr key={String(name)}>
            <th scope="row" className="words">
              {name === null ? "All others" : name === "" ? unnamed : name}
              <svg className="group-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                <rect className="group-bar-ground" width="100" height="6" />
                <rect
                  className={name === null || name === "" ? "group-bar-rest" : "group-bar-named"}
                  width={width(people)}
                  height="6"
                />
              </svg>
            </th>
            <td className="number">{formatNumber(people)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
