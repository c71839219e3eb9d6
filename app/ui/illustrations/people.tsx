import type { Hue } from "#app/ui/illustrations/stall.tsx";

interface PersonProps {
  /** SVG transform. The origin is between the feet; a person is 100 units tall. */
  at: string;
  hue: Hue;
  skin?: "2" | "3";
}

export function Person({ at, hue, skin }: PersonProps) {
  return <use href="#person" transform={at} className={skin === undefined ? hue : `${hue} skin-${skin}`} />;
}

export function People() {
  return (
    <g id="person">
      <ellipse className="soft" fill="var(--pen)" rx="24" ry="4" />
      <path className="pen" d="M-7-26-8-2M7-26 8-2" strokeWidth="7" />
      <path className="hue" d="M-13-70q13-9 26 0 8 22 9 46-22 7-44 0 1-24 9-46z" />
      <path className="pen soft" d="M-12-62q-4 18-3 32M12-62q4 18 3 32" />
      <circle fill="var(--skin)" cy="-86" r="11" />
      <path fill="var(--hair)" d="M-12-84c-2-18 26-20 24 0-4-7-10-9-24 0z" />
    </g>
  );
}
