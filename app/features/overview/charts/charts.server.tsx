import { type ScaleBand, scaleBand, scaleLinear } from "d3-scale";
import { stack } from "d3-shape";
import type { ReactNode } from "react";
import { Chart, type ChartArea, DayLabels, Grid, round } from "#app/features/overview/charts/chart-frame.server.tsx";
import type { ChartUnit } from "#app/features/overview/weeks.ts";

interface BarChartProps<Day> {
  /** Days, or weeks by their first day. */
  days: (Day & { date: string })[];
  unit: ChartUnit;
  title: string;
  /** What is counted. */
  name: string;
  layers: { className: string; fill: string; value: (day: Day) => number }[];
  children?: ReactNode;
}

export function BarChart<Day>({ days, unit, title, name, layers, children }: BarChartProps<Day>) {
  const stacked = stack<(typeof days)[number], (typeof layers)[number]>()
    .keys(layers)
    .value((day, layer) => layer.value(day))(days);
  const max = Math.max(...stacked.flatMap((layer) => layer.map(([, top]) => top)));
  return (
    <Chart
      title={title}
      label={`Bar chart: ${name} in each of the last ${days.length} ${unit}s, at most ${max} a ${unit}.`}
      height={{ narrow: 210, wide: 260 }}
      draw={(chartArea) => {
        const x = dayScale(days, chartArea);
        const y = scaleLinear([0, Math.max(max, 1)], [chartArea.bottom, chartArea.top]).nice(4);
        return (
          <>
            <Grid chartArea={chartArea} y={y} />
            {stacked.map((layer) => (
              <path
                key={layer.key.fill}
                className={layer.key.className}
                d={layer
                  .filter(([from, to]) => to > from)
                  .map((point) => bar(x, point.data.date, y(point[0]), y(point[1])))
                  .join("")}
                fill={layer.key.fill}
              />
            ))}
            <DayLabels chartArea={chartArea} days={days} x={(date) => centreOf(x, date)} />
          </>
        );
      }}
    >
      {children}
    </Chart>
  );
}

/** Every day has the same share of the plot's width, a quarter of it empty. */
export function dayScale(days: { date: string }[], { left, right }: ChartArea): ScaleBand<string> {
  const dates = days.map(({ date }) => date);
  return scaleBand(dates, [left, right]).paddingInner(0.25).paddingOuter(0.125);
}

export function centreOf(x: ScaleBand<string>, date: string): number {
  return (x(date) ?? 0) + x.bandwidth() / 2;
}

export function bar(x: ScaleBand<string>, date: string, from: number, to: number): string {
  return `M${round(x(date))},${round(from)}V${round(to)}h${round(x.bandwidth())}V${round(from)}Z`;
}
