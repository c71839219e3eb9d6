import { TimelineChart } from "#app/features/overview/charts/timeline-chart.server.tsx";
import type { Stats } from "#app/features/overview/stats.server.ts";
import { chartUnit, mergeWeeks } from "#app/features/overview/weeks.ts";
import type { Column } from "#app/owner/ui/data.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { formatNumber } from "#app/owner/ui/labels.ts";
import * as switches from "#app/switches.ts";

type Day = Stats["days"][number];

interface TimelineProps {
  stats: Stats;
  /** IANA name. */
  timeZone: string;
}

export function Timeline({ stats, timeZone }: TimelineProps) {
  const unit = chartUnit(stats.days);
  const isByDay = unit === "day";
  const days = isByDay ? stats.days : mergeWeeks(stats.days, mergeDays);
  return (
    <TimelineChart days={days} unit={unit} visitsSince={stats.visitsSince}>
      <details className="data">
        <summary>Show data</summary>
        <Table
          caption={`${isByDay ? "Days" : "Weeks, by their first day,"} in ${timeZone}, newest first. Erased entries count only in the total.`}
          columns={[
            { name: isByDay ? "Day" : "Week", cell: ({ date }) => date },
            { name: "Joined", kind: "number", cell: ({ joined }) => formatNumber(joined) },
            { name: "Total", kind: "number", cell: ({ total }) => formatNumber(total) },
            ...(switches.visits ? [visitsColumn] : []),
          ]}
          rows={days.toReversed()}
          rowKey={({ date }) => date}
        />
      </details>
    </TimelineChart>
  );
}

const visitsColumn: Column<Day> = { name: "Visits", kind: "number", cell: ({ visits }) => formatNumber(visits) };

function mergeDays(week: [Day, ...Day[]]): Day {
  const last = week.at(-1) ?? week[0];
  const sum = (of: "joined" | "visits") => week.reduce((total, day) => total + day[of], 0);
  return { ...week[0], until: last.until, total: last.total, joined: sum("joined"), visits: sum("visits") };
}
