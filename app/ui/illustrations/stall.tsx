import { type Goods, type Hue, Part } from "#app/ui/illustrations/parts.tsx";

interface StallProps {
  /** SVG transform. The origin is the middle of the foot; a stall is 200 units wide and tall. */
  at: string;
  hue: Hue;
  goods: Goods;
}

export function Stall({ at, hue, goods }: StallProps) {
  return (
    <g transform={at} className={hue}>
      <Part name="stall" />
      <Part name={goods} />
      <Part name="awning" />
    </g>
  );
}
