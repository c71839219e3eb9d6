import { glow } from "#app/ui/illustrations/glow.ts";

type Point = [x: number, y: number];

interface LightsProps {
  from: Point;
  to: Point;
  sag: number;
  bulbs: number;
}

/** A string of lamps, lit in the dark theme. */
export function Lights({ from, to, sag, bulbs }: LightsProps) {
  const middle: Point = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2 + 2 * sag];
  const lamps = Array.from({ length: bulbs }, (_, index) => onCurve(from, middle, to, (index + 0.5) / bulbs));
  return (
    <>
      <path className="pen string" d={`M${from}Q${middle} ${to}`} />
      {lamps.map(([x, y]) => (
        <g key={x} transform={`translate(${x} ${y})`}>
          <circle className="night" r="34" fill={glow} />
          <path className="gold" d="M0 0c7 5 5 14 0 14s-7-9 0-14z" />
        </g>
      ))}
    </>
  );
}

/** A point on a quadratic curve, rounded because every digit adds to the page. */
function onCurve(from: Point, middle: Point, to: Point, t: number): Point {
  const along = (axis: 0 | 1) =>
    Math.round((1 - t) ** 2 * from[axis] + 2 * t * (1 - t) * middle[axis] + t ** 2 * to[axis]);
  return [along(0), along(1)];
}
