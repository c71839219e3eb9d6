import { glow } from "#app/ui/illustrations/glow.ts";
import { Part, Scene, Stall } from "#app/ui/illustrations/parts.tsx";

/** The pictures of the two sides, by file name in public/sides. `npm run generate:images` draws them. */
export const productScenes = { host: <HostScene />, stallholder: <StallholderScene /> };

/** A host with a plan, in front of a marquee and marked-out pitches. Uses `SharedParts`. */
function HostScene() {
  return (
    <Scene>
      <path className="hill" d="M0 120q110-44 210-18t190-10v118H0z" />
      <path className="grass" d="M0 158q180-30 400-6v58H0z" />
      <ellipse className="night" cx="135" cy="110" rx="190" ry="110" fill={glow} />
      <path fill="var(--inside)" d="M46 102h178v62H46z" />
      <path fill="var(--cloth)" d="M46 104 40 164h40l6-60zM184 104l6 60h40l-6-60z" />
      <path
        className="gold"
        d="M135 34q-40 52-107 64l6 12q12 10 25 0 12 10 26 0 12 10 25 0 13 10 25 0 13 10 25 0 13 10 26 0 13 10 25 0 13 8 25-2l6-10q-67-12-107-64z"
      />
      <path
        className="green"
        d="M135 34q-14 50-54 70l4 6q12 10 25 0l8-6q15-36 17-70 2 34 17 70l8 6q13 10 25 0l4-6q-40-20-54-70z"
      />
      <path className="clay" d="M135 12q14-6 28 0l-8 6 8 6q-14-4-28 2z" />
      <path className="pen" d="M135 34V10M28 99q54-12 107-65 53 53 107 65" />
      <path fill="var(--cloth)" d="M256 176l66-6 16 18-70 8z" opacity=".75" />
      <path className="pen soft" d="M256 176l66-6 16 18-70 8zM292 173l12 19" strokeDasharray="7 6" />
      <g className="gold skin-2" transform="translate(344 190)scale(1.2)">
        <Part name="body" />
        <Part name="smile" at="translate(-3)" />
        <path className="limb arm" d="M19-49v4M-20-62l4 3" />
        <path className="limb sleeve" d="M14-80q6 14 5 28M-14-80q-8 8-7 18" />
        <path className="pen soft" d="M11-74q3 16 3 28" />
        <path fill="var(--wood)" d="m-21-73 19-3 4 28-19 3z" />
        <path fill="var(--cloth)" d="m-18-70 14-2 3 22-14 2z" />
        <path className="pen fine" d="m-14-65 8-1M-13-60l8-1M-12-55l5-1" />
        <path className="limb hand" d="M-19-57h0" />
      </g>
    </Scene>
  );
}

/** A stallholder with the last crate, beside a finished stall. Uses `SharedParts`. */
function StallholderScene() {
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
