import type { ReactNode } from "react";

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
const chartAreas = {
  narrow: { width: 340, height: 210, left: 40, right: 334, top: 12, bottom: 182 },
  wide: { width: 1080, height: 260, left: 52, right: 1074, top: 14, bottom: 228 },
} satisfies Record<string, ChartArea>;

interface ChartProps {
  /** The text alternative, one sentence. A table beside the chart has the numbers. */
  label: string;
  draw: (chartArea: ChartArea) => ReactNode;
}

export function Chart({ label, draw }: ChartProps) {
  return Object.entries(chartAreas).map(([size, chartArea]) => (
    <svg
      key={size}
      className={`chart chart-${size}`}
      viewBox={`0 0 ${chartArea.width} ${chartArea.height}`}
      role="img"
      aria-label={label}
    >
      {draw(chartArea)}
    </svg>
  ));
}

interface AxesProps {
  chartArea: ChartArea;
  /** Values of the grid lines, and their positions. */
  yTicks: { value: number; y: number }[];
  /** Labels under the chart, and their centres. */
  xTicks: { text: string; x: number }[];
}

export function Axes({ chartArea, yTicks, xTicks }: AxesProps) {
  return (
    <g className="chart-axes">
      {yTicks.map(({ value, y }) => (
        <g key={value}>
          <line x1={chartArea.left} x2={chartArea.right} y1={y} y2={y} />
          <text x={chartArea.left - 6} y={y} dy="0.32em" textAnchor="end">
            {shortNumber.format(value)}
          </text>
        </g>
      ))}
      {xTicks.map(({ text, x }, index) => (
        <text key={x} x={x} y={chartArea.bottom + 20} textAnchor={anchorOf(index, xTicks.length)}>
          {text}
        </text>
      ))}
    </g>
  );
}

const shortNumber = new Intl.NumberFormat("en-GB", { notation: "compact", maximumFractionDigits: 1 });

/** Keeps the first and last labels within the chart. */
function anchorOf(index: number, count: number): "start" | "middle" | "end" {
  if (count > 1 && index === 0) return "start";
  return count > 1 && index === count - 1 ? "end" : "middle";
}
