import { Part } from "#app/ui/illustrations/parts.tsx";
import { Picture } from "#app/ui/illustrations/picture.tsx";

/**
 * The country around a stallholder, a unit for each mile. match-slip.css draws the circle as wide as they travel, and the
 * fair of the answer larger. Uses `SharedParts`.
 */
export function SlipMap() {
  return (
    <Picture className="slip-map" viewBox="-56 -30 112 60">
      <path className="river" d="M-28-16Q0 0 2 10t14 20" />
      <circle />
      <Tent fair="clay riverside" at="translate(12 19)" />
      <Tent fair="gold meadow" at="translate(9-4)" />
      <Tent fair="green orchard" at="translate(-10 4)" />
      <Tent fair="clay sheepfold" at="translate(27-11)" />
      <Part name="person" at="translate(0 4)" className="green" />
    </Picture>
  );
}

function Tent({ fair, at }: { fair: string; at: string }) {
  return (
    <g className={fair} transform={at}>
      <Part name="stall" />
      <Part name="counter" />
      <Part name="awning" />
    </g>
  );
}
