import { glow } from "#app/ui/illustrations/parts.tsx";

/** Sun, town, hills, the path through the market, trees and lamp posts. */
export function Backdrop() {
  return (
    <>
      <circle className="night" cx="862" cy="174" r="84" fill={glow} opacity=".5" />
      <circle fill="var(--sun)" cx="862" cy="174" r="36" />
      <path
        className="far"
        d="M0 300V214l26-20 26 20v-26h60v-18l24-18 24 18v40l40-26 38 26v-14h50v22l30-20 30 20v-10l22-68 22 68v-2h46v-24l30-22 30 22v20h54v-12l34-24 34 24v30l52-30 40 26v-20h60v-22l26-18 26 18v26l44-26 44 26v-18h44v-34l28-20 28 20v42l40-24 40 24v-20h64l34-24 34 24v100z"
      />
      <path className="hill" d="M0 250q180-54 400-14t420-12 340 6 280-14v200H0z" />
      <path className="grass" d="M0 292q220-40 470-28t480-10 490 26v180H0z" />
      <path
        className="trail"
        d="M470 462c40-58 214-92 232-134 12-28-14-44-4-72h22c-8 26 36 40 40 70 6 46 120 76 210 136z"
      />
      {/* A rise in front, where the path ends. */}
      <path className="grass" d="M380 462q340-72 680 0z" />
      <g className="from-576">
        <path
          fill="var(--leaf)"
          d="M352 268c-40 2-52-36-30-54-10-34 36-52 52-26 34-8 50 30 26 46 12 26-18 40-48 34zM1076 258c-34 2-46-30-26-46-8-30 32-46 46-22 30-8 44 26 22 40 10 22-14 34-42 28z"
        />
        <path className="pole" d="M358 226v56" />
        <path className="pole" d="M1082 220v52" />
      </g>
      <path className="pole" d="M400 40v256" />
      <path className="pole" d="M1040 40v254" />
      <path className="pole from-1200" d="M30 70v276" />
      <path className="pole from-1200" d="M1410 70v272" />
    </>
  );
}
