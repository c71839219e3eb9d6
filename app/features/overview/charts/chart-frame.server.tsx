import { type ScaleBand, scaleBand } from "d3-scale";
import type { ReactNode } from "react";
import { formatDay } from "#app/owner/ui/labels.ts";

/** The size of a chart and the edges of its plot (SVG units; CSS pixels at the chart's natural width). */
export interface ChartArea {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A chart is drawn twice, for narrow and wide screens, so that its labels are legible on both. */
export type ChartSize = "narrow" | "wide";

/** The horizontal edges are also those of `.chart-days` in charts.css. */
const sizes: Record<ChartSize, Pick<ChartArea, "width" | "left" | "right">> = {
  narrow: { width: 340, left: 40, right: 334 },
  wide: { width: 1080, left: 52, right: 1074 },
};

interface ChartProps {
  title: string;
  /** The text alternative, one sentence. A table beside the chart has the numbers. */
  label: string;
  /** Room for the plot and its labels (SVG units). */
  height: Record<ChartSize, number>;
  draw: (chartArea: ChartArea, size: ChartSize) => ReactNode;
  overlay?: (size: ChartSize) => ReactNode;
  children?: ReactNode;
}

export function Chart({ title, label, height, draw, overlay, children }: ChartProps) {
  return (
    <figure className="chart-figure panel">
      <figcaption>
        <h2>{title}</h2>
      </figcaption>
      {(["narrow", "wide"] as const).map((size) => {
        const chartArea = { ...sizes[size], height: height[size], top: 22, bottom: height[size] - 32 };
        return (
          <div key={size} className={size === "wide" ? "chart chart-wide extra" : "chart chart-narrow"}>
            <svg viewBox={`0 0 ${chartArea.width} ${chartArea.height}`} role="img" aria-label={label}>
              {draw(chartArea, size)}
            </svg>
            {overlay?.(size)}
          </div>
        );
      })}
      {children}
    </figure>
  );
}

interface GridProps {
  chartArea: ChartArea;
  y: { (value: number): number; ticks(count: number): number[] };
  /** How many lines, about. */
  count?: number;
}

/** Grid lines with whole numbers, because the charts show counts. */
export function Grid({ chartArea, y, count = 4 }: GridProps) {
  return (
    <g className="chart-axes">
      {y
        .ticks(count)
        .filter(Number.isInteger)
        .map((value) => (
          <g key={value}>
            <line
              x1={chartArea.left}
              x2={chartArea.right}
              y1={toTenths(y(value))}
              y2={toTenths(y(value))}
              stroke="var(--border)"
              shapeRendering="crispEdges"
            />
            <text x={chartArea.left - 6} y={toTenths(y(value))} dy="0.32em" textAnchor="end">
              {shortNumber.format(value)}
            </text>
          </g>
        ))}
    </g>
  );
}

interface DayLabelsProps {
  chartArea: ChartArea;
  days: { date: string }[];
  x: ScaleBand<string>;
}

export function DayLabels({ chartArea, days, x }: DayLabelsProps) {
  const count = Math.min(days.length, chartArea.width > 600 ? 7 : 3);
  const labelled = Array.from({ length: count }, (_, n) =>
    Math.round((n * (days.length - 1)) / Math.max(count - 1, 1)),
  );
  return (
    <g className="chart-axes">
      {labelled.map((index, n) => {
        const { date } = days[index] ?? { date: "" };
        return (
          <text
            key={date}
            x={toTenths((x(date) ?? 0) + x.bandwidth() / 2)}
            y={chartArea.height - 10}
            textAnchor={anchorOf(n, count)}
          >
            {formatDay(date)}
          </text>
        );
      })}
    </g>
  );
}

const shortNumber = new Intl.NumberFormat("en-GB", { notation: "compact", maximumFractionDigits: 1 });

/** Keeps the first and last labels within the chart. */
function anchorOf(index: number, count: number): "start" | "middle" | "end" {
  if (count > 1 && index === 0) return "start";
  return count > 1 && index === count - 1 ? "end" : "middle";
}

export function toTenths(value: number | undefined): number {
  return Math.round((value ?? 0) * 10) / 10;
}

/** Every day has the same share of the plot's width, a quarter of it empty. */
export function dayScale(days: { date: string }[], { left, right }: ChartArea): ScaleBand<string> {
  const dates = days.map(({ date }) => date);
  return scaleBand(dates, [left, right]).paddingInner(0.25).paddingOuter(0.125);
}

export function bar(x: ScaleBand<string>, date: string, from: number, to: number): string {
  return `M${toTenths(x(date))},${toTenths(from)}V${toTenths(to)}h${toTenths(x.bandwidth())}V${toTenths(from)}Z`;
}

export type ChartUnit = "day" | "week";

/** In longer periods, a phone could not tell days apart. */
const MAX_DAYS = 120;

export function chartUnit(days: unknown[]): ChartUnit {
  return days.length > MAX_DAYS ? "week" : "day";
}

/** Merges days, oldest first, into full weeks that end with the last day; days before the first full week are left out. */
export function mergeWeeks<Day>(days: Day[], merge: (week: [Day, ...Day[]]) => Day): Day[] {
  const weeks: Day[] = [];
  for (let end = days.length; end >= 7; end -= 7) weeks.unshift(merge(days.slice(end - 7, end) as [Day, ...Day[]]));
  return weeks;
}
