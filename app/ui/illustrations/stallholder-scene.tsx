import { Part, Scene, Stall } from "#app/ui/illustrations/parts.tsx";

/** A stallholder with the last crate, beside a finished stall. Uses `SharedParts`. */
export function StallholderScene() {
  return (
    <Scene>
      <path className="hill" d="M0 104q90-30 200-6t200 2v110H0z" />
      <path className="grass" d="M0 156q180-26 400 0v54H0z" />
      <path fill="var(--leaf)" d="M28 158c-30 2-36-34-18-46-6-28 34-40 48-18 28-4 34 30 18 42 6 18-20 26-48 22z" />
      <Stall at="translate(236 190)scale(.87)" hue="clay" goods="pots" />
      <g className="green skin-3" transform="translate(98 192)scale(1.12)">
        <Part name="body" />
        <Part name="smile" at="translate(3)" />
        <path className="limb arm" d="M8-55 24-50" />
        <path className="limb sleeve" d="M-13-80q-6 20 16 24M14-80q6 8 6 18" />
      </g>
      <path className="gold" d="M112 124h44l-4 28h-36z" />
      <path className="clay" d="M120 124q-4-14 4-18h8q6 8 2 18z" />
      <path fill="var(--cloth)" d="M138 124v-12h12v12z" />
      <path className="pen" d="M112 124h44l-4 28h-36zM114 134h40M115 143h38" />
      <path className="limb hand skin-3" d="M121 132h0" />
      <path fill="var(--wood)" d="M346 142h42l6 54h-54z" />
      <path fill="var(--slate)" d="M350 147h34l4 40h-42z" />
      <path className="chalk" d="M356 157q11-4 22 0M355 166h24M355 175h14" />
    </Scene>
  );
}
