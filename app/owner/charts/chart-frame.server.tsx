import type { ReactNode } from "react";

/** The room in which a chart is drawn (SVG units, which are CSS pixels at its own width). */
export interface Room {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A chart is drawn twice, for narrow and for wide screens, so that its words are large enough on both. */
const rooms = {
  narrow: { width: 340, height: 210, left: 40, right: 334, top: 12, bottom: 182 },
  wide: { width: 1080, height: 260, left: 52, right: 1074, top: 14, bottom: 228 },
} satisfies Record<string, Room>;

interface ChartProps {
  /** What it shows, in a sentence, for whoever does not see it. The numbers stand in a table beside it. */
  label: string;
  draw: (room: Room) => ReactNode;
}

export function Chart({ label, draw }: ChartProps) {
  return Object.entries(rooms).map(([size, room]) => (
    <svg
      key={size}
      className={`chart chart-${size}`}
      viewBox={`0 0 ${room.width} ${room.height}`}
      role="img"
      aria-label={label}
    >
      {draw(room)}
    </svg>
  ));
}

interface AxesProps {
  room: Room;
  /** Numbers to draw a line at, and where each is. */
  levels: { value: number; y: number }[];
  /** Words under the chart, and where each is in the middle. */
  marks: { text: string; x: number }[];
}

export function Axes({ room, levels, marks }: AxesProps) {
  return (
    <g className="chart-axes">
      {levels.map(({ value, y }) => (
        <g key={value}>
          <line x1={room.left} x2={room.right} y1={y} y2={y} />
          <text x={room.left - 6} y={y} dy="0.32em" textAnchor="end">
            {shortNumber.format(value)}
          </text>
        </g>
      ))}
      {marks.map(({ text, x }, index) => (
        <text key={x} x={x} y={room.bottom + 20} textAnchor={anchorOf(index, marks.length)}>
          {text}
        </text>
      ))}
    </g>
  );
}

const shortNumber = new Intl.NumberFormat("en-GB", { notation: "compact", maximumFractionDigits: 1 });

/** The first and the last word stay within the chart. */
function anchorOf(index: number, count: number): "start" | "middle" | "end" {
  if (count > 1 && index === 0) return "start";
  return count > 1 && index === count - 1 ? "end" : "middle";
}
