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

/** The origin is its foot. */
export function Tree({ at }: { at: string }) {
  return (
    <g transform={at}>
      <path className="limb sleeve wood" d="M0-40V0" />
      <path fill="var(--leaf)" d="M-6-22c-40 2-50-32-28-48-10-34 34-50 50-24 34-8 48 28 24 44 12 24-18 36-46 28z" />
      <path className="pen soft" d="M-20-52q6 8 14 6M8-68q6 8 14 4M4-40q6 6 14 2" />
    </g>
  );
}

export function Cloud({ at }: { at: string }) {
  return (
    <path
      className="day"
      fill="var(--raised)"
      d="M8 0C-10 0-6-18 8-16c0-20 26-22 32-6 12-12 30-2 28 12 16-4 20 10 8 10z"
      transform={at}
    />
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
