import { scaleBand, scaleLinear } from "d3-scale";
import { area, curveMonotoneX, line } from "d3-shape";
import type { ChartUnit } from "#app/owner/overview/weeks.ts";
import { Axes, Chart, type ChartArea } from "#app/owner/ui/chart-frame.server.tsx";
import { formatDay } from "#app/owner/ui/labels.ts";

/** Numbers of a day or a week. */
interface Day {
  /** The first date, `YYYY-MM-DD`. */
  date: string;
  joined: number;
  total: number;
  visits: number;
}

interface DayBarsProps {
  days: Day[];
  unit: ChartUnit;
  of: "joined" | "visits";
  name: string;
}

/** Sign-ups or visits, as a bar for each day or week. */
export function DayBars({ days, unit, of, name }: DayBarsProps) {
  const max = Math.max(...days.map((day) => day[of]));
  return (
    <Chart
      label={`Bar chart: ${name} in each of the last ${days.length} ${unit}s, at most ${max} a ${unit}.`}
      draw={(chartArea) => {
        const x = scaleBand(dates(days), [chartArea.left, chartArea.right]).paddingInner(0.25);
        const y = scaleLinear([0, Math.max(max, 1)], [chartArea.bottom, chartArea.top]).nice(4);
        const bars = days.filter((day) => day[of] > 0);
        const bar = (day: Day) =>
          `M${round(x(day.date))},${chartArea.bottom}V${round(y(day[of]))}h${round(x.bandwidth())}V${chartArea.bottom}Z`;
        return (
          <>
            <Axes
              chartArea={chartArea}
              yTicks={yTicks(y)}
              xTicks={xTicks(days, chartArea, (date) => (x(date) ?? 0) + x.bandwidth() / 2)}
            />
            <path className={`chart-bars chart-bars-${of}`} d={bars.map(bar).join("")} />
          </>
        );
      }}
    />
  );
}

/** The running total at the end of each day or week, as a line over a filled area. */
export function TotalChart({ days, unit }: { days: Day[]; unit: ChartUnit }) {
  const [first, last] = [days[0]?.total ?? 0, days.at(-1)?.total ?? 0];
  return (
    <Chart
      label={`Line chart: total sign-ups, from ${first} to ${last} over the last ${days.length} ${unit}s.`}
      draw={(chartArea) => {
        const x = scaleLinear([0, Math.max(days.length - 1, 1)], [chartArea.left, chartArea.right]);
        const y = scaleLinear([0, Math.max(last, 1)], [chartArea.bottom, chartArea.top]).nice(4);
        const fill = area<Day>(
          (_, index) => x(index),
          chartArea.bottom,
          ({ total }) => y(total),
        );
        const stroke = line<Day>(
          (_, index) => x(index),
          ({ total }) => y(total),
        );
        return (
          <>
            <Axes chartArea={chartArea} yTicks={yTicks(y)} xTicks={xTicks(days, chartArea, (_, index) => x(index))} />
            <path className="chart-ground" d={fill.curve(curveMonotoneX).digits(1)(days) ?? ""} />
            <path className="chart-line" d={stroke.curve(curveMonotoneX).digits(1)(days) ?? ""} />
          </>
        );
      }}
    />
  );
}

/** Whole numbers only, because the charts show counts. */
export function yTicks(y: { (value: number): number; ticks(count: number): number[] }) {
  return y
    .ticks(4)
    .filter(Number.isInteger)
    .map((value) => ({ value, y: round(y(value)) }));
}

/** Labels for a few evenly spaced days. */
export function xTicks(days: { date: string }[], chartArea: ChartArea, at: (date: string, index: number) => number) {
  const count = Math.min(days.length, chartArea.width > 600 ? 7 : 3);
  const indexes = Array.from({ length: count }, (_, n) => Math.round((n * (days.length - 1)) / Math.max(count - 1, 1)));
  return indexes.map((index) => {
    const { date } = days[index] ?? { date: "" };
    return { text: formatDay(date), x: round(at(date, index)) };
  });
}

export function dates(days: { date: string }[]): string[] {
  return days.map(({ date }) => date);
}

export function round(value: number | undefined): number {
  return Math.round((value ?? 0) * 10) / 10;
}
