import { glow } from "#app/ui/illustrations/glow.ts";

/** Sun or moon, town, hills, the path through the market, trees and lamp posts. */
export function Backdrop() {
  return (
    <>
      <g className="sky">
        <circle className="night" cx="880" cy="92" r="72" fill={glow} opacity=".5" />
        <circle fill="var(--sun)" cx="880" cy="92" r="32" />
        <Cloud at="translate(724 134)" />
      </g>
      <g className="from-1200">
        <Cloud at="translate(210 70)scale(.8)" />
      </g>
      <path
        className="far"
        d="M0 300V214l26-20 26 20v-26h60v-18l24-18 24 18v40l40-26 38 26v-14h50v22l30-20 30 20v-10l22-68 22 68v-2h46v-24l30-22 30 22v20h54v-12l34-24 34 24v30l52-30 40 26v-20h60v-22l26-18 26 18v26l44-26 44 26v-18h44v-34l28-20 28 20v42l40-24 40 24v-20h64l34-24 34 24v100z"
      />
      <path
        className="night"
        fill="var(--bulb)"
        d="M66 198h5v7h-5zM90 198h5v7h-5zM134 192h5v7h-5zM452 206h5v7h-5zM478 206h5v7h-5zM580 204h5v7h-5zM728 220h5v7h-5zM750 220h5v7h-5zM786 200h5v7h-5zM806 200h5v7h-5zM926 208h5v7h-5zM970 176h5v7h-5zM992 176h5v7h-5zM970 194h5v7h-5zM1106 198h5v7h-5zM1132 198h5v7h-5zM1188 186h5v7h-5z"
      />
      <path className="hill" d="M0 250q180-54 400-14t420-12 340 6 280-14v244H0z" />
      <path className="grass" d="M0 292q220-40 470-28t480-10 490 26v180H0z" />
      <path
        className="trail"
        d="M716 264h13c2 24 44 44 64 72 30 44 150 80 267 124H380c118-44 232-82 262-124 18-26 72-48 74-72z"
      />
      <ellipse className="night" cx="720" cy="380" rx="420" ry="78" fill={glow} opacity=".5" />
      <path className="pen soft" d="M420 344l-3-8m3 8 1-11m-1 11 5-8M1018 338l-3-8m3 8 1-11m-1 11 5-8" />
      <g className="from-1200">
        <path className="pen soft" d="M62 404l-4-10m4 10 1-13m-1 13 6-9M1396 408l-4-10m4 10 1-13m-1 13 6-9" />
        <Tree at="translate(52 300)" />
        <Tree at="translate(1378 300)scale(1.05)" />
      </g>
      <path className="pole" d="M400 40v256" />
      <path className="pole" d="M1040 40v254" />
      <path className="pole from-1200" d="M30 70v276" />
      <path className="pole from-1200" d="M1410 70v272" />
    </>
  );
}

function Tree({ at }: { at: string }) {
  return (
    <g transform={at}>
      <path className="limb sleeve wood" d="M0-40V0" />
      <path fill="var(--leaf)" d="M-6-22c-40 2-50-32-28-48-10-34 34-50 50-24 34-8 48 28 24 44 12 24-18 36-46 28z" />
      <path className="pen soft" d="M-20-52q6 8 14 6M8-68q6 8 14 4M4-40q6 6 14 2" />
    </g>
  );
}

function Cloud({ at }: { at: string }) {
  return (
    <path
      className="day"
      fill="var(--raised)"
      d="M8 0C-10 0-6-18 8-16c0-20 26-22 32-6 12-12 30-2 28 12 16-4 20 10 8 10z"
      transform={at}
    />
  );
}
