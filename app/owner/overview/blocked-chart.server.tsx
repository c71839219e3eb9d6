import { scaleBand, scaleLinear } from "d3-scale";
import { stack } from "d3-shape";
import { dates, round, xTicks, yTicks } from "#app/owner/overview/day-charts.server.tsx";
import type { ChartUnit } from "#app/owner/overview/weeks.ts";
import { Axes, Chart } from "#app/owner/ui/chart-frame.server.tsx";
import { blockedReasons } from "#app/owner/ui/labels.ts";
import type { BlockedReason } from "#app/server/db/schema/statistics.server.ts";

export type BlockedDay = { date: string } & Partial<Record<BlockedReason, number>>;

/** In the order of their layers. */
export const reasons = Object.keys(blockedReasons) as BlockedReason[];

/** Blocked attempts, as a bar for each day or week, stacked by reason. */
export function BlockedChart({ days, unit }: { days: BlockedDay[]; unit: ChartUnit }) {
  const layers = stack<BlockedDay, BlockedReason>()
    .keys(reasons)
    .value((day, reason) => day[reason] ?? 0)(days);
  const max = Math.max(...layers.flatMap((layer) => layer.map(([, top]) => top)));
  return (
    <>
      <Chart
        label={`Bar chart: attempts blocked in each of the last ${days.length} ${unit}s, by reason, at most ${max} a ${unit}.`}
        draw={(chartArea) => {
          const x = scaleBand(dates(days), [chartArea.left, chartArea.right]).paddingInner(0.25);
          const y = scaleLinear([0, Math.max(max, 1)], [chartArea.bottom, chartArea.top]).nice(4);
          const bar = (date: string, [from, to]: [number, number]) =>
            `M${round(x(date))},${round(y(from))}V${round(y(to))}h${round(x.bandwidth())}V${round(y(from))}Z`;
          return (
            <>
              <Axes
                chartArea={chartArea}
                yTicks={yTicks(y)}
                xTicks={xTicks(days, chartArea, (date) => (x(date) ?? 0) + x.bandwidth() / 2)}
              />
              {layers.map((layer) => (
                <path
                  key={layer.key}
                  className={`chart-layer layer-${layer.key}`}
                  d={layer
                    .filter(([from, to]) => to > from)
                    .map((point) => bar(point.data.date, [point[0], point[1]]))
                    .join("")}
                />
              ))}
            </>
          );
        }}
      />
      <ul className="chart-legend">
        {reasons.map((reason) => (
          <li key={reason}>
            <svg viewBox="0 0 12 12" aria-hidden="true">
              <rect className={`layer-${reason}`} width="12" height="12" rx="2" />
            </svg>
            {blockedReasons[reason]}
          </li>
        ))}
      </ul>
    </>
  );
}
