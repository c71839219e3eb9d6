import type { ReactNode } from "react";
import type { Goods } from "#app/ui/illustrations/goods.tsx";
import { Picture } from "#app/ui/illustrations/picture.tsx";
import type { PartName } from "#app/ui/illustrations/shared-parts.tsx";

/* What pictures are drawn with. `at` is an SVG transform. The page needs `SharedParts`. */

type Hue = "green" | "gold" | "clay";

export function Part({ name, at, className }: { name: PartName; at?: string; className?: string }) {
  return <use href={`#${name}`} transform={at} className={className} />;
}

/** The origin is between the feet; a person is 100 units tall. */
export function Person({ at, hue, skin }: { at: string; hue: Hue; skin?: "2" | "3" }) {
  return <Part name="person" at={at} className={skin === undefined ? hue : `${hue} skin-${skin}`} />;
}

interface StallProps {
  /** Left out, the drawing is in the stall's own units. The origin is the middle of the foot; a stall is 200 units wide and tall. */
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

/** A drawing as wide as its card, cropped from the top. */
export function Scene({ children }: { children: ReactNode }) {
  return (
    <Picture className="scene" viewBox="0 0 400 210" preserveAspectRatio="xMidYMax slice">
      {children}
    </Picture>
  );
}
