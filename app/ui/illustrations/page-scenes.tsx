import type { ReactNode } from "react";
import { glow } from "#app/ui/illustrations/glow.ts";
import { Cloud, Tree } from "#app/ui/illustrations/landscape.tsx";
import { Part, Stall } from "#app/ui/illustrations/parts.tsx";
import { Picture } from "#app/ui/illustrations/picture.tsx";

/**
 * Drawings for pages of few words. Each stands in the middle of 400 units; ground and sky go on at both sides, for wide
 * places. They use `SharedParts`.
 */
export const pageScenes = {
  /** A sealed envelope with a ticket in it, and the stamp that makes it valid. */
  envelope: () => (
    <Ground>
      <Stall at="translate(62 172)scale(.5)" hue="clay" goods="flowers" />
      <Stall at="translate(344 174)scale(.54)" hue="gold" goods="bread" />
      <Counter>
        <g transform="rotate(9 250 90)">
          <path className="gold" d="M214 34h74v100h-74z" />
          <path className="pen" d="M214 34h74v100h-74zM226 50h50M226 60h32" />
          <path className="pen soft" d="M214 74h74" strokeDasharray="1 7" />
        </g>
        <ellipse className="soft" fill="var(--pen)" cx="196" cy="169" rx="92" ry="6" />
        <g transform="rotate(-5 190 118)">
          <path fill="var(--cloth)" d="M112 66h160v100H112z" />
          <path className="pen" d="M112 66h160v100H112zM112 166l62-54M272 166l-62-54M112 66l80 62 80-62" />
          <path
            className="clay"
            d="M192 104c7-4 12 1 14 5s10 6 9 14-5 8-7 14-11 3-16 6-10-3-14-5-9-5-8-13 3-8 6-13 9-3 16-8z"
          />
          <path className="pen cloth line" d="m183 124 7 7 12-15" />
        </g>
        <ellipse className="soft" fill="var(--pen)" cx="330" cy="172" rx="34" ry="5" />
        <path fill="var(--wood)" d="M318 148q5-18 0-30-6-16 12-18 18 2 12 18-5 12 0 30z" />
        <path className="clay" d="M302 148h56v16h-56z" />
        <path className="pen" d="M302 148h56v16h-56zM318 148q5-18 0-30-6-16 12-18 18 2 12 18-5 12 0 30" />
        <path className="gold" d="M60 172l-5-42h42l-5 42z" />
        <path className="pen green line" d="M68 130 58 86" />
        <path className="pen clay line" d="M82 130l4-50" />
        <path className="pen" d="M60 172l-5-42h42l-5 42zM96 140q14 0 12 10t-14 10M55 78l3 8M87 72l-1 8" />
      </Counter>
    </Ground>
  ),
  /** A stallholder’s ledger, open on the counter. */
  ledger: () => (
    <Ground>
      <Stall at="translate(58 174)scale(.56)" hue="gold" goods="pots" />
      <Stall at="translate(346 172)scale(.52)" hue="clay" goods="scarves" />
      <Counter>
        <ellipse className="soft" fill="var(--pen)" cx="200" cy="173" rx="116" ry="6" />
        <path fill="var(--wood)" d="M90 96q58-18 110 4 52-22 110-4l6 74q-62-12-116 4-54-16-116-4z" />
        <path fill="var(--cloth)" d="M98 88q54-16 102 6 48-22 102-6l6 74q-56-10-108 6-52-16-108-6z" />
        <path className="pen" d="M98 88q54-16 102 6 48-22 102-6l6 74q-56-10-108 6-52-16-108-6zM200 94v74" />
        <path
          className="pen soft"
          d="M112 102q38-8 74 4M111 115q40-8 76 4M110 128q40-7 76 4M109 141q40-7 78 4M214 119q38-12 76-4M214 132q38-12 76-4M213 145q40-11 78-4"
        />
        <path className="pen green line" d="m214 108 5 5 10-13M240 100q24-6 46-2" />
        <path className="clay" d="M204 166l-1 24 7-6 7 6-2-27z" />
        <path className="pen gold line" d="M318 116 282 160" strokeWidth="7" />
        <path className="pen" d="m282 160-6 8 9-4" />
        <path className="clay" d="M38 172l-4-34h40l-4 34z" />
        <path
          className="pen"
          d="M38 172l-4-34h40l-4 34zM73 146q13 0 11 9t-13 9M46 128q-4-8 1-13t0-12M60 128q-4-8 1-13t0-12"
        />
      </Counter>
    </Ground>
  ),
  /** A stall being packed up at the end of the day: its awning is folded, its goods are in crates. */
  packing: () => (
    <Ground sun>
      <path className="pole" d="M106 192V58M256 192V58M98 62h166" />
      <path className="pen string" d="M106 66q70 44 150 0" />
      <path className="clay" d="m122 73 20 6-13 18z" />
      <path className="gold" d="m150 81 20 1-10 19z" />
      <path fill="var(--wood)" d="M92 136h178v9H92z" />
      <path className="pole" d="m116 146 22 46m0-46-22 46M224 146l22 46m0-46-22 46" />
      <path className="pen" d="M92 136h178v9H92z" />
      <path fill="var(--cloth)" d="M118 136v-8q0-7 8-7h84q8 0 8 7v8z" />
      <path className="green" d="M124 121v-6q0-8 8-8h72q8 0 8 8v6z" />
      <path fill="var(--cloth)" d="M132 107v-4q0-7 7-7h58q7 0 7 7v4z" />
      <path
        className="pen"
        d="M118 136v-8q0-7 8-7h84q8 0 8 7v8zM124 121v-6q0-8 8-8h72q8 0 8 8v6M132 107v-4q0-7 7-7h58q7 0 7 7v4"
      />
      <Crate at="translate(282 150)" />
      <Crate at="translate(292 108)" />
      <path className="green" d="m352 192 18-86q10-6 15 3l-20 86z" />
      <path className="pen" d="m352 192 18-86q10-6 15 3l-20 86zM362 144l14 4M357 168l13 4" />
      <g className="gold skin-3" transform="translate(38 196)scale(1.12)">
        <Part name="body" />
        <Part name="smile" at="translate(3)" />
        <path className="limb arm" d="M8-55 24-50" />
        <path className="limb sleeve" d="M-13-80q-6 20 16 24M14-80q6 8 6 18" />
      </g>
      <Crate at="translate(46 128)scale(.84)" />
      <path className="limb hand skin-3" d="M62 142h0" />
    </Ground>
  ),
  /** A pitch without its stall: two poles, a line and a dropped flag. */
  pitch: () => (
    <Ground>
      <Stall at="translate(18 166)scale(.4)" hue="green" goods="prints" />
      <Stall at="translate(386 166)scale(.4)" hue="clay" goods="jewellery" />
      <path className="pole" d="M96 54v134M306 48v140" />
      <path className="pen string" d="M96 58q104 62 210-6" />
      <path className="clay" d="m120 70 25 7-18 26z" />
      <path className="gold" d="m160 82 26 1-14 28z" />
      <path className="green" d="m238 166 30-4-8 26z" />
      <path fill="var(--trail)" d="M124 176h154l14 22H110z" opacity=".8" />
      <path className="pen soft" d="M124 176h154l14 22H110z" strokeDasharray="7 6" />
    </Ground>
  ),
};

export type PageSceneName = keyof typeof pageScenes;

/** Bunting above a scene, as long as its place is wide. Not `Bunting`, which would be a file more for every visitor of the landing page. */
export function Flags() {
  return (
    <Picture className="page-flags" viewBox="0 0 600 84">
      <g id="page-flags">
        <path className="clay" d="M12 7L54 16 26 48zM212 39L254 41 231 76zM412 37L454 32 437 71z" />
        <path className="gold" d="M79 21L121 28 94 61zM279 42L321 42 300 78zM479 28L521 21 506 61z" />
        <path className="green" d="M145 32L187 37 162 70zM345 41L387 39 368 76zM545 17L587 7 574 48z" />
        <path className="pen string" d="M0 4q300 76 600 0" />
        <path className="lamps glow" d="M67 24h0M133 35h0M200 43h0M267 47h0M333 47h0M400 43h0M467 35h0M533 24h0" />
        <path className="lamps" d="M67 24h0M133 35h0M200 43h0M267 47h0M333 47h0M400 43h0M467 35h0M533 24h0" />
      </g>
      <use href="#page-flags" x="-600" />
      <use href="#page-flags" x="600" />
    </Picture>
  );
}

function Ground({ sun, children }: { sun?: boolean; children: ReactNode }) {
  return (
    <Picture className="page-scene" viewBox="0 0 400 210">
      {sun ? (
        <circle fill="var(--sun)" cx="318" cy="92" r="34" />
      ) : (
        <circle fill="var(--sun)" cx="86" cy="-70" r="30" />
      )}
      <Cloud at="translate(262 -74)scale(1.3)" />
      <Cloud at="translate(168 -8)scale(.8)" />
      <path className="hill" d="M-600 118q160-42 320-12t320-10 320-4 320 0 320-6v160H-600z" />
      <Tree at="translate(-96 150)" />
      <Tree at="translate(508 148)scale(1.1)" />
      <Tree at="translate(620 146)scale(.8)" />
      <path className="grass" d="M-600 158q200-26 400-10t400-4 400 2 400-4v90H-600z" />
      <ellipse className="night" cx="200" cy="120" rx="230" ry="110" fill={glow} />
      {children}
    </Picture>
  );
}

/** In front of the market, with its cloth. */
function Counter({ children }: { children: ReactNode }) {
  return (
    <>
      <path className="green" d="M-600 166H1000v60H-600z" />
      <path className="pen soft" d={every(64, (x) => `M${x} 182v28`)} />
      <path fill="var(--cloth)" d={`M1000 158v16${"q-16 14-32 0".repeat(50)}v-16z`} />
      {children}
    </>
  );
}

function Crate({ at }: { at: string }) {
  return (
    <g transform={at}>
      <path fill="var(--wood)" d="M0 0h58l-3 42H3z" />
      <path className="pen" d="M0 0h58l-3 42H3zM1 14h56M2 28h54" />
    </g>
  );
}

function every(step: number, mark: (x: number) => string): string {
  return Array.from({ length: 1600 / step }, (_, index) => mark(index * step - 600 + step / 2)).join("");
}
