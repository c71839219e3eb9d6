import type { ReactNode } from "react";
import { type Goods, type Hue, Part } from "#app/ui/illustrations/parts.tsx";

interface StallProps {
  /** SVG transform. Left out, the drawing is in the stall's own units. The origin is the middle of the foot; a stall is 200 units wide and tall. */
  at?: string;
  hue: Hue;
  goods: Goods;
  children?: ReactNode;
}

export function Stall({ at, hue, goods, children }: StallProps) {
  return (
    <g transform={at} className={hue}>
      <Part name="stall" />
      {children}
      <Part name="counter" />
      <Part name={goods} />
      <Part name="awning" />
    </g>
  );
}
