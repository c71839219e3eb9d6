import type { PartName } from "#app/ui/illustrations/shared-parts.tsx";

export type { Goods } from "#app/ui/illustrations/goods.tsx";
export type Hue = "green" | "gold" | "clay";

interface PartProps {
  name: PartName;
  /** SVG transform. */
  at?: string;
  className?: string;
}

/** A part in a picture. The page needs `SharedParts`. */
export function Part({ name, at, className }: PartProps) {
  return <use href={`#${name}`} transform={at} className={className} />;
}
