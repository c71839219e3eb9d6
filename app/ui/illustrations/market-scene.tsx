import { glow } from "#app/ui/illustrations/glow.ts";
import { Cloud, Tree } from "#app/ui/illustrations/landscape.tsx";
import { Part, Person, Stall } from "#app/ui/illustrations/parts.tsx";
import { Picture } from "#app/ui/illustrations/picture.tsx";

/**
 * The market seen from its path: sunny in the light theme, under string lights in the dark theme. Uses `SharedParts`.
 *
 * Narrow viewports crop it at both sides, to 720 units below 576 px and to 1260 below 1200 px. What a crop would cut
 * has a class and is hidden there, or moves. Between the inner posts the upper 115 units stay empty, for the words.
 */
export function MarketScene() {
  return (
    <Picture className="market" viewBox="0 0 1440 460" preserveAspectRatio="xMidYMax slice">
      <Backdrop />
      <Stall at="translate(648 296)scale(.42)" hue="gold" goods="prints" />
      <Stall at="translate(800 292)scale(.4)" hue="green" goods="scarves" />
      <Person at="translate(742 300)scale(.42)" hue="clay" skin="2" />
      <g className="from-576">
        <Stall at="translate(538 352)scale(.78)" hue="clay" goods="jewellery">
          <Person at="translate(40 -8)" hue="green" />
        </Stall>
        <Stall at="translate(906 350)scale(-.76 .76)" hue="green" goods="bread">
          <Person at="translate(40 -8)" hue="clay" skin="3" />
        </Stall>
      </g>
      <g className="from-576">
        <Person at="translate(688 374)scale(.8)" hue="green" />
        <Person at="translate(726 376)scale(.56)" hue="gold" />
        <Dog />
      </g>
      <Lights from={[400, 128]} to={[1040, 128]} sag={64} bulbs={10} />
      <g className="from-1200">
        <Lights from={[30, 74]} to={[400, 44]} sag={64} bulbs={6} />
        <Lights from={[1040, 44]} to={[1410, 74]} sag={64} bulbs={6} />
        <Person at="translate(1386 440)scale(1.25)" hue="clay" skin="3" />
      </g>
      <g className="left-side">
        <g transform="translate(242 444)scale(1.45)">
          <Stall hue="clay" goods="pots">
            <Potter />
          </Stall>
          <Customer />
          <HandedPot />
          <Crate />
        </g>
      </g>
      <g className="right-side">
        <g transform="translate(1198 444)scale(-1.45 1.45)">
          <Stall hue="gold" goods="flowers">
            <Florist />
          </Stall>
          <Host />
          <Buckets />
        </g>
      </g>
    </Picture>
  );
}

/** Sun or moon, town, hills, the path through the market, trees and lamp posts. */
function Backdrop() {
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

type Point = [x: number, y: number];

/** A string of lamps, lit in the dark theme. */
function Lights({ from, to, sag, bulbs }: { from: Point; to: Point; sag: number; bulbs: number }) {
  const middle: Point = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2 + 2 * sag];
  const lamps = Array.from({ length: bulbs }, (_, index) => onCurve(from, middle, to, (index + 0.5) / bulbs));
  return (
    <>
      <path className="pen string" d={`M${from}Q${middle} ${to}`} />
      {lamps.map(([x, y]) => (
        <g key={x} transform={`translate(${x} ${y})`}>
          <circle className="night" r="34" fill={glow} />
          <path className="gold" d="M0 0c7 5 5 14 0 14s-7-9 0-14z" />
        </g>
      ))}
    </>
  );
}

/** A point on a quadratic curve, rounded because every digit adds to the page. */
function onCurve(from: Point, middle: Point, to: Point, t: number): Point {
  const along = (axis: 0 | 1) =>
    Math.round((1 - t) ** 2 * from[axis] + 2 * t * (1 - t) * middle[axis] + t ** 2 * to[axis]);
  return [along(0), along(1)];
}

// People at the large stalls, in the units of a stall, whose maker stands at 38.

/** Behind the counter, holding a pot out past the pole. */
function Potter() {
  return (
    <g className="clay skin-3">
      <g transform="translate(36 -6)">
        <circle fill="var(--hair)" cx="-4" cy="-113" r="6.5" />
        <Part name="body" />
        <Apron />
        <Part name="smile" at="translate(3)" />
      </g>
      <path className="limb arm" d="M40-72 80-80M64-73 82-83" />
      <path className="limb hand" d="M83-81h0" />
      <path className="limb sleeve" d="M26-84 38-73M50-84 62-75" />
    </g>
  );
}

/** Beside the stall, taking the pot. */
function Customer() {
  return (
    <g className="gold skin-2" transform="translate(122 0)">
      <Part name="body" />
      <Part name="smile" at="translate(-4)" />
      <path fill="var(--hair)" d="M-2-107c12-6 20 6 16 24-2 8-9 7-9-1z" />
      <path className="green" d="M-11-88q11 7 22 0l1 5q-12 8-24 0z" />
      <path className="limb arm" d="M-21-71-22-82" />
      <path className="limb hand" d="M-22-83h0" />
      <path className="limb sleeve" d="M-13-80-20-71" />
      <path className="pen soft" d="M-11-73v20M11-74q3 14 3 26" />
      <g className="from-576">
        <path className="limb arm" d="M19-56v6" />
        <path className="limb sleeve" d="M14-80l5 22" />
        <path className="pen" d="M12-40q0-10 7-10t7 10" />
        <path fill="var(--cloth)" d="M8-42h22l3 26H5z" />
        <path className="clay" d="M19-24c-8-6-8-12-4-12q3 0 4 3 1-3 4-3c4 0 4 6-4 12z" />
      </g>
    </g>
  );
}

function HandedPot() {
  return (
    <>
      <path className="green" d="M82-79c-8-10-6-18 0-23h16c6 5 8 13 0 23z" />
      <path className="pen" d="M81-103h18M78-92h24" />
    </>
  );
}

/** Behind the counter, waving. */
function Florist() {
  return (
    <g className="green skin-2">
      <g transform="translate(38 -6)">
        <Part name="body" />
        <Apron />
        <path fill="var(--hair)" d="M-10-95q1 4 4 2 6-3 12 0 3 2 4-2 1 15-10 15t-10-15z" />
        <Part name="smile" at="translate(3)" />
      </g>
      <path className="limb arm" d="M62-76 68-96" />
      <path className="limb hand" d="M69-99h0" />
      <path className="limb sleeve" d="M52-84 61-75M25-84l-4 14" />
    </g>
  );
}

/** Beside the stall, with a clipboard and a raised hand. */
function Host() {
  return (
    <g className="green" transform="translate(122 0)">
      <Part name="body" />
      <Part name="smile" at="translate(-4)" />
      <path className="gold" d="M-18-102q18-7 36 0-18 5-36 0zM-10-104c0-14 20-14 20 0z" />
      <path className="pen soft" d="M-10-104q10-3 20 0" />
      <path className="pen gold line" d="M-5-87l4 12M5-87-1-75" />
      <path className="limb arm" d="M-24-79-29-95" />
      <path className="limb hand" d="M-30-98h0" />
      <path className="limb sleeve" d="M-13-80-23-77M15-80l5 16" />
      <path fill="var(--wood)" d="m-12-72 20 3-4 29-20-3z" />
      <path fill="var(--cloth)" d="m-10-69 15 2-3 24-15-2z" />
      <path className="pen fine" d="m-8-62 9 1M-9-56l9 1M-10-50l6 1" />
      <path className="limb arm" d="M19-61 7-54" />
    </g>
  );
}

function Apron() {
  return <path fill="var(--cloth)" d="M-8-87h3l1 10H8l1-10h3l3 50h-26z" />;
}

// On the ground of the market.

function Crate() {
  return (
    <g transform="translate(-52 0)">
      <ellipse className="soft" fill="var(--pen)" rx="34" ry="4" />
      <path className="gold" d="M-20-24q-2-14 6-16h8q6 4 4 16z" />
      <path fill="var(--cloth)" d="M0-24q-6-12 2-22h12q8 10 2 22z" />
      <path className="pen" d="M1-46h14" />
      <path fill="var(--wood)" d="M-28-27h56L24 1h-48z" />
      <path className="pen soft" d="M-26-18h52M-25-9h50" />
    </g>
  );
}

function Buckets() {
  return (
    <g transform="translate(-44 2)">
      <ellipse className="soft" fill="var(--pen)" rx="44" ry="4" />
      <path fill="var(--leaf)" d="M-32-20c-12-16 0-34 14-34s24 18 12 34zM8-18c-10-14 0-28 12-28s20 14 10 28z" />
      <path className="bloom clay" d="M-28-40h0M-12-34h0M14-34h0" />
      <path className="bloom cloth" d="M-18-48h0M24-38h0M-24-28h0" />
      <path fill="var(--slate)" d="M-34-26h30l-4 26h-22zM6-22h26L28 0H10z" />
      <path className="pen soft" d="M-33-19h28M7-15h24" />
    </g>
  );
}

function Dog() {
  return (
    <g transform="translate(768 380)">
      <ellipse className="soft" fill="var(--pen)" cx="2" rx="20" ry="3" />
      <path className="limb sleeve wood" d="M-9-14v12M10-14v12" />
      <path fill="var(--wood)" d="M-14-24h22l-2-10q0-5 5-4l8 5 6 1q2 6-6 8 0 14-8 15h-20q-6-6-5-15z" />
      <path className="pen wood" d="M-13-22q-8-4-6-12" />
      <path className="pen" d="M8-24q5 3 8 1M15-32h0" />
    </g>
  );
}
