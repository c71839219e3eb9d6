import { scaleBand, scaleLinear } from "d3-scale";
import { area, curveMonotoneX, line } from "d3-shape";
import { Axes, Chart, type Room } from "#app/owner/charts/chart-frame.server.tsx";
import { dayName } from "#app/owner/labels.ts";

interface Day {
  /** `YYYY-MM-DD` */
  date: string;
  joined: number;
  total: number;
}

/** How many joined on each day, as bars. */
export function JoinedChart({ days }: { days: Day[] }) {
  const most = Math.max(...days.map(({ joined }) => joined));
  return (
    <Chart
      label={`Bars: sign-ups on each of the last ${days.length} days, at most ${most} on one.`}
      draw={(room) => {
        const x = scaleBand(dates(days), [room.left, room.right]).paddingInner(days.length > 120 ? 0 : 0.25);
        const y = scaleLinear([0, Math.max(most, 1)], [room.bottom, room.top]).nice(4);
        const bars = days.filter(({ joined }) => joined > 0);
        const bar = ({ date, joined }: Day) =>
          `M${round(x(date))},${room.bottom}V${round(y(joined))}h${round(x.bandwidth())}V${room.bottom}Z`;
        return (
          <>
            <Axes
              room={room}
              levels={levels(y)}
              marks={marks(days, room, (date) => (x(date) ?? 0) + x.bandwidth() / 2)}
            />
            <path className="chart-bars" d={bars.map(bar).join("")} />
          </>
        );
      }}
    />
  );
}

/** How many had joined by the end of each day, as a line over its ground. */
export function TotalChart({ days }: { days: Day[] }) {
  const [first, last] = [days[0]?.total ?? 0, days.at(-1)?.total ?? 0];
  return (
    <Chart
      label={`Line: all sign-ups so far, from ${first} to ${last} in the last ${days.length} days.`}
      draw={(room) => {
        const x = scaleLinear([0, Math.max(days.length - 1, 1)], [room.left, room.right]);
        const y = scaleLinear([0, Math.max(last, 1)], [room.bottom, room.top]).nice(4);
        const ground = area<Day>(
          (_, index) => x(index),
          room.bottom,
          ({ total }) => y(total),
        );
        const edge = line<Day>(
          (_, index) => x(index),
          ({ total }) => y(total),
        );
        return (
          <>
            <Axes room={room} levels={levels(y)} marks={marks(days, room, (_, index) => x(index))} />
            <path className="chart-ground" d={ground.curve(curveMonotoneX).digits(1)(days) ?? ""} />
            <path className="chart-line" d={edge.curve(curveMonotoneX).digits(1)(days) ?? ""} />
          </>
        );
      }}
    />
  );
}

/** Whole numbers only: there are no half people. */
export function levels(y: { (value: number): number; ticks(count: number): number[] }) {
  return y
    .ticks(4)
    .filter(Number.isInteger)
    .map((value) => ({ value, y: round(y(value)) }));
}

/** A few days by name, evenly over the chart. */
export function marks(days: { date: string }[], room: Room, at: (date: string, index: number) => number) {
  const count = Math.min(days.length, room.width > 600 ? 7 : 3);
  const indexes = Array.from({ length: count }, (_, n) => Math.round((n * (days.length - 1)) / Math.max(count - 1, 1)));
  return indexes.map((index) => {
    const { date } = days[index] ?? { date: "" };
    return { text: dayName(date), x: round(at(date, index)) };
  });
}

export function dates(days: { date: string }[]): string[] {
  return days.map(({ date }) => date);
}

export function round(value: number | undefined): number {
  return Math.round((value ?? 0) * 10) / 10;
}
