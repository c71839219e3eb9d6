import { type Hue, Part } from "#app/ui/illustrations/parts.tsx";

interface PersonProps {
  /** SVG transform. The origin is between the feet; a person is 100 units tall. */
  at: string;
  hue: Hue;
  skin?: "2" | "3";
}

export function Person({ at, hue, skin }: PersonProps) {
  return <Part name="person" at={at} className={skin === undefined ? hue : `${hue} skin-${skin}`} />;
}
