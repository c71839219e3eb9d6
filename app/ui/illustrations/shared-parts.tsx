import type { ReactElement } from "react";
import { glow } from "#app/ui/illustrations/glow.ts";
import { goods } from "#app/ui/illustrations/goods.tsx";
import { Picture } from "#app/ui/illustrations/picture.tsx";

/** What several pictures are made of. Each part is in the page once; `Part` shows it. */
const parts = {
  body: (
    <>
      <ellipse className="soft" fill="var(--pen)" rx="24" ry="4" />
      <path className="limb" d="M-5-36-6-4h-3M5-36 6-4h3" />
      <path className="hue" d="M-6-88h12q9 1 10 10l1 40q-17 5-34 0l1-40q1-9 10-10z" />
      <path fill="var(--skin)" d="M-4-94h8v8q-4 4-8 0z" />
      <circle fill="var(--skin)" cy="-98" r="10" />
      <path fill="var(--hair)" d="M-11-96c-3-20 25-20 22 0-2-5-4-8-10-9-5 0-9 4-12 9z" />
    </>
  ),
  person: (
    <>
      <use href="#body" />
      <use href="#smile" />
      <path className="limb sleeve" d="M-14-80q-6 14-5 28M14-80q6 14 5 28" />
      <path className="limb arm" d="M-19-48v3M19-48v3" />
      <path className="pen soft" d="M-11-74q-3 16-3 28M11-74q3 16 3 28" />
    </>
  ),
  smile: (
    <>
      <path className="pen" d="M-4-98h0M4-98h0" />
      <path className="pen fine" d="M-3.5-93.5q3.5 4 7 0" />
    </>
  ),
  stall: (
    <>
      <ellipse className="night" cy="-100" rx="200" ry="108" fill={glow} />
      <ellipse className="soft" fill="var(--pen)" rx="104" ry="8" />
      <path fill="var(--inside)" d="M-76-150H76v92H-76z" />
      <path className="pole" d="M-77-150-76-2M77-150 76-2" />
    </>
  ),
  counter: (
    <>
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

export type PartName = keyof typeof parts;

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
