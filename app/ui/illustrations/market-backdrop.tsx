import { glow } from "#app/ui/illustrations/glow.ts";

/** Sun or moon, town, hills, the path through the market, trees and lamp posts. */
export function Backdrop() {
  return (
    <>
      <g className="sun">
        <circle className="night" cx="880" cy="74" r="84" fill={glow} opacity=".5" />
        <circle fill="var(--sun)" cx="880" cy="74" r="34" />
      </g>
      <path
        className="far"
        d="M0 300V214l26-20 26 20v-26h60v-18l24-18 24 18v40l40-26 38 26v-14h50v22l30-20 30 20v-10l22-68 22 68v-2h46v-24l30-22 30 22v20h54v-12l34-24 34 24v30l52-30 40 26v-20h60v-22l26-18 26 18v26l44-26 44 26v-18h44v-34l28-20 28 20v42l40-24 40 24v-20h64l34-24 34 24v100z"
      />
      <path
        className="night"
        fill="var(--bulb)"
        d="M130 180h6v8h-6zM74 206h5v7h-5zM248 214h5v7h-5zM392 192h6v9h-6zM512 206h5v7h-5zM536 206h5v7h-5zM604 214h5v7h-5zM640 214h5v7h-5zM808 216h5v7h-5zM842 210h5v7h-5zM996 214h5v7h-5zM1108 196h5v7h-5zM1126 196h5v7h-5zM1240 220h5v7h-5zM1330 206h5v7h-5z"
      />
      <path className="hill" d="M0 250q180-54 400-14t420-12 340 6 280-14v244H0z" />
      <path className="grass" d="M0 292q220-40 470-28t480-10 490 26v180H0z" />
      <path
        className="trail"
        d="M712 254h18c-8 28 42 46 62 78 28 46 150 84 268 128H380c60-44 232-84 262-128 16-28 76-50 70-78z"
      />
      <path className="pole" d="M400 40v256" />
      <path className="pole" d="M1040 40v254" />
      <path className="pole from-1200" d="M30 70v276" />
      <path className="pole from-1200" d="M1410 70v272" />
    </>
  );
}
