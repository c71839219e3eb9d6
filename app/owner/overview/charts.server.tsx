import { scaleBand, scaleLinear } from "d3-scale";
import { area, curveMonotoneX, line, stack } from "d3-shape";
import type { ReactNode } from "react";
import { Axes, Chart, round } from "#app/owner/overview/chart-frame.server.tsx";
import type { ChartUnit } from "#app/owner/overview/weeks.ts";

interface ChartProps<Day> {
  /** Days, or weeks by their first day. */
  days: (Day & { date: string })[];
  unit: ChartUnit;
  caption: string;
}

interface BarChartProps<Day> extends ChartProps<Day> {
  /** What is counted. */
  name: string;
  /** What the layers are. */
  by?: string;
  layers: { className: string; fill: string; value: (day: Day) => number }[];
  /** The legend. */
  children?: ReactNode;
}

/** A bar for each day or week, in one or more layers. */
export function BarChart<Day>({ days, unit, caption, name, by, layers, children }: BarChartProps<Day>) {
  const stacked = stack<(typeof days)[number], (typeof layers)[number]>()
    .keys(layers)
    .value((day, layer) => layer.value(day))(days);
  const max = Math.max(...stacked.flatMap((layer) => layer.map(([, top]) => top)));
  const detail = by === undefined ? "" : `, by ${by}`;
  return (
    <Chart
      label={`Bar chart: ${name} in each of the last ${days.length} ${unit}s${detail}, at most ${max} a ${unit}.`}
      caption={caption}
      draw={(chartArea) => {
        const dates = days.map(({ date }) => date);
        const x = scaleBand(dates, [chartArea.left, chartArea.right]).paddingInner(0.25);
        const y = scaleLinear([0, Math.max(max, 1)], [chartArea.bottom, chartArea.top]).nice(4);
        const bar = (date: string, from: number, to: number) =>
          `M${round(x(date))},${round(y(from))}V${round(y(to))}h${round(x.bandwidth())}V${round(y(from))}Z`;
        return (
          <>
            <Axes chartArea={chartArea} days={days} x={(date) => (x(date) ?? 0) + x.bandwidth() / 2} y={y} />
            {stacked.map((layer) => (
              <path
                key={layer.key.fill}
                className={layer.key.className}
                d={layer
                  .filter(([from, to]) => to > from)
                  .map((point) => bar(point.data.date, point[0], point[1]))
                  .join("")}
                fill={layer.key.fill}
              />
            ))}
          </>
        );
      }}
    >
      {children}
    </Chart>
  );
}

/** The running total at the end of each day or week, as a line over a filled area. */
export function TotalChart({ days, unit, caption }: ChartProps<{ total: number }>) {
  const [first, last] = [days[0]?.total ?? 0, days.at(-1)?.total ?? 0];
  return (
    <Chart
      label={`Line chart: total sign-ups, from ${first} to ${last} over the last ${days.length} ${unit}s.`}
      caption={caption}
      draw={(chartArea) => {
        const x = scaleLinear([0, Math.max(days.length - 1, 1)], [chartArea.left, chartArea.right]);
        const y = scaleLinear([0, Math.max(last, 1)], [chartArea.bottom, chartArea.top]).nice(4);
        const fill = area<{ total: number }>(
          (_, index) => x(index),
          chartArea.bottom,
          ({ total }) => y(total),
        );
        const stroke = line<{ total: number }>(
          (_, index) => x(index),
          ({ total }) => y(total),
        );
        return (
          <>
            <Axes chartArea={chartArea} days={days} x={(_, index) => x(index)} y={y} />
            <path d={fill.curve(curveMonotoneX).digits(1)(days) ?? ""} fill="var(--secondary)" opacity="0.22" />
            <path
              d={stroke.curve(curveMonotoneX).digits(1)(days) ?? ""}
              fill="none"
              stroke="var(--chart-line)"
              strokeWidth="2.5"
              strokeLinejoin="round"
            />
          </>
        );
      }}
    />
  );
}
