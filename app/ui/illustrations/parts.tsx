import type { ReactElement } from "react";
import { Picture } from "#app/ui/illustrations/picture.tsx";

export type Hue = "green" | "gold" | "clay";

/** The fill of light around a lamp. */
export const glow = "url(#glow)";

/** What hangs and stands on a stall. */
const goods = {
  pots: (
    <>
      <path className="clay" d="M-60-66c-10-14-3-22-1-32h15c2 10 9 18-1 32z" />
      <path fill="var(--cloth)" d="M-28-84h36c0 11-8 18-18 18s-18-7-18-18z" />
      <path className="green" d="M22-66c-7-13-2-24 0-34h19c3 10 7 21 0 34z" />
      <path className="pen" d="M41-94c14-2 13 17 1 18M-62-84h16M-26-78h32" />
      <path fill="var(--leaf)" d="M-54-98c-12-6-12-16-8-22 8 4 10 12 8 22 2-12 6-18 14-20 2 10-4 18-14 20z" />
    </>
  ),
  scarves: (
    <>
      <path className="clay" d="M-64-134h24v44l-6-4-6 5-6-5-6 4z" />
      <path className="green" d="M-30-134h24v52l-6-4-6 5-6-5-6 4z" />
      <path fill="var(--cloth)" d="M4-134h24v40l-6-4-6 5-6-5-6 4z" />
      <path className="pen" d="M-76-132H76M-62-104h20M-28-98h20M-28-92h20M6-110h20" />
      <path className="gold" d="M34-66v-12h34v12zM37-80v-11h28v11z" />
      <path className="pen soft" d="M34-78h34" />
    </>
  ),
  prints: (
    <>
      <path fill="var(--wood)" d="M-64-130h44v36h-44zM-8-132h30v40H-8z" />
      <path fill="var(--cloth)" d="M-60-126h36v28h-36zM-4-128h22v32H-4z" />
      <path fill="var(--leaf)" d="M-60-98c6-12 12-14 18-6 6-10 12-8 18 2v4z" />
      <circle className="clay" cx="7" cy="-114" r="7" />
      <path className="clay" d="M40-66v-24h8v24zM54-66v-34h8v34z" />
      <path fill="var(--cloth)" d="M-66-66l4-18h40l4 18z" />
      <path className="pen" d="M-60-78h36M-62-72h40M44-90v-6M58-100v-6" />
    </>
  ),
} satisfies Record<string, ReactElement>;

/** What several pictures are made of. Each part is in the page once; `Part` shows it. */
const parts = {
  person: (
    <>
      <ellipse className="soft" fill="var(--pen)" rx="24" ry="4" />
      <path className="pen" d="M-7-26-8-2M7-26 8-2" strokeWidth="7" />
      <path className="hue" d="M-13-70q13-9 26 0 8 22 9 46-22 7-44 0 1-24 9-46z" />
      <path className="pen soft" d="M-12-62q-4 18-3 32M12-62q4 18 3 32" />
      <circle fill="var(--skin)" cy="-86" r="11" />
      <path fill="var(--hair)" d="M-12-84c-2-18 26-20 24 0-4-7-10-9-24 0z" />
    </>
  ),
  stall: (
    <>
      <ellipse className="night" cy="-92" rx="200" ry="114" fill={glow} />
      <ellipse className="soft" fill="var(--pen)" rx="104" ry="8" />
      <path fill="var(--inside)" d="M-76-150H76v92H-76z" />
      <path className="pole" d="M-77-150-76-2M77-150 76-2" />
      <path className="hue" d="M-88-62q88-6 176 0l-5 56q-83 8-166 0z" />
      <path className="pen soft" d="m-58-58-3 52M-19-60l-1 57M22-60l1 57M60-58l3 52" />
      <path
        fill="var(--cloth)"
        d="M-90-67q90-6 180 0v9q-13 11-26 0-13 11-26 0-12 11-25 0-13 11-26 0-13 11-26 0-12 11-25 0-13 11-26 0z"
      />
    </>
  ),
  awning: (
    <>
      <path className="soft" fill="var(--pen)" d="M-84-140H84l-8 22q-76 6-152 0z" />
      <path
        fill="var(--cloth)"
        d="M-66-192q66-4 132 0l31 48a14 14 0 0 1-28 0 14 14 0 0 1-27 0 14 14 0 0 1-28 0 14 14 0 0 1-28 0 14 14 0 0 1-28 0 14 14 0 0 1-27 0 14 14 0 0 1-28 0z"
      />
      <path
        className="hue"
        d="M-66-192l19-1-22 49a14 14 0 0 1-28 0zM-28-194H-9l-5 50a14 14 0 0 1-28 0zM9-194h19l14 50a14 14 0 0 1-28 0zM47-193l19 1 31 48a14 14 0 0 1-28 0z"
      />
      <path className="pen" d="M-97-143q97-7 194 0M-66-192q66-4 132 0" />
    </>
  ),
  ...goods,
} satisfies Record<string, ReactElement>;

export type Goods = keyof typeof goods;

interface PartProps {
  name: keyof typeof parts;
  /** SVG transform. */
  at?: string;
  className?: string;
}

/** A part in a picture. The page needs `SharedParts`. */
export function Part({ name, at, className }: PartProps) {
  return <use href={`#${name}`} transform={at} className={className} />;
}

/** The parts, invisible themselves: pictures anywhere in the page refer to them. */
export function SharedParts() {
  return (
    <Picture className="shared-parts" viewBox="0 0 1 1">
      <defs>
        <radialGradient id="glow">
          <stop stopColor="var(--lamp-light)" stopOpacity=".75" />
          <stop offset=".35" stopColor="var(--bulb-glow)" stopOpacity=".28" />
          <stop offset="1" stopColor="var(--bulb-haze)" stopOpacity="0" />
        </radialGradient>
        {Object.entries(parts).map(([name, drawing]) => (
          <g key={name} id={name}>
            {drawing}
          </g>
        ))}
      </defs>
    </Picture>
  );
}
