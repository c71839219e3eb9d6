import type { ReactNode } from "react";
import { formatDay } from "#app/owner/ui/labels.ts";

/** The size of a chart and the edges of its plot (SVG units; CSS pixels at the chart's natural width). */
interface ChartArea {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A chart is drawn twice, for narrow and wide screens, so that its labels are legible on both. */
const chartAreas = {
  narrow: { width: 340, height: 210, left: 40, right: 334, top: 12, bottom: 182 },
  wide: { width: 1080, height: 260, left: 52, right: 1074, top: 14, bottom: 228 },
} satisfies Record<string, ChartArea>;

interface ChartProps {
  /** The text alternative, one sentence. A table beside the chart has the numbers. */
  label: string;
  caption: string;
  draw: (chartArea: ChartArea) => ReactNode;
  /** The legend. */
  children?: ReactNode;
}

export function Chart({ label, caption, draw, children }: ChartProps) {
  return (
    <figure className="chart-figure panel">
      {Object.entries(chartAreas).map(([size, chartArea]) => (
        <svg
          key={size}
          className={`chart chart-${size}`}
          viewBox={`0 0 ${chartArea.width} ${chartArea.height}`}
          role="img"
          aria-label={label}
        >
          {draw(chartArea)}
        </svg>
      ))}
      {children}
      <figcaption>{caption}</figcaption>
    </figure>
  );
}

interface AxesProps {
  chartArea: ChartArea;
  days: { date: string }[];
  /** The centre of a day. */
  x: (date: string, index: number) => number;
  y: { (value: number): number; ticks(count: number): number[] };
}

/** Grid lines with whole numbers, because the charts show counts, and labels for a few evenly spaced days. */
export function Axes({ chartArea, days, x, y }: AxesProps) {
  const count = Math.min(days.length, chartArea.width > 600 ? 7 : 3);
  const labelled = Array.from({ length: count }, (_, n) =>
    Math.round((n * (days.length - 1)) / Math.max(count - 1, 1)),
  );
  return (
    <g className="chart-axes">
      {y
        .ticks(4)
        .filter(Number.isInteger)
        .map((value) => (
          <g key={value}>
            <line
              x1={chartArea.left}
              x2={chartArea.right}
              y1={round(y(value))}
              y2={round(y(value))}
              stroke="var(--border)"
              shapeRendering="crispEdges"
            />
            <text x={chartArea.left - 6} y={round(y(value))} dy="0.32em" textAnchor="end">
              {shortNumber.format(value)}
            </text>
          </g>
        ))}
      {labelled.map((index, n) => {
        const { date } = days[index] ?? { date: "" };
        return (
          <text key={date} x={round(x(date, index))} y={chartArea.bottom + 20} textAnchor={anchorOf(n, count)}>
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

export function round(value: number | undefined): number {
  return Math.round((value ?? 0) * 10) / 10;
}
