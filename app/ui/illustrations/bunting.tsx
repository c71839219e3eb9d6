import { Picture } from "#app/ui/illustrations/picture.tsx";

const hues = ["clay", "gold", "green"] as const;

/** One length of line between two hooks. Nine flags hold every colour three times, so that lengths join up. */
const BOW = { width: 600, depth: 38, flags: 9 };

/** Sways once on page load. @param isRepeated whether the page has drawn a line before, which this one refers to */
export function Bunting({ isRepeated = false }: { isRepeated?: boolean }) {
  return (
    <div className="bunting">
      {["", "from-576", "from-1200"].map((width) => (
        <Picture key={width} className={`bow ${width}`} viewBox={`0 0 ${BOW.width} 84`}>
          {width === "" && !isRepeated ? <Bow /> : <use href="#bow" />}
        </Picture>
      ))}
    </div>
  );
}

function Bow() {
  return (
    <g id="bow">
      {hues.map((hue) => (
        <path key={hue} className={hue} d={flagsOf(hue)} />
      ))}
      <path className="pen string" d={`M0 4q300 ${2 * BOW.depth} 600 0`} />
      <path className="lamps glow" d={lamps} />
      <path className="lamps" d={lamps} />
    </g>
  );
}

/** A lamp between every two flags, drawn as the round cap of a zero-length line. */
const lamps = Array.from({ length: BOW.flags - 1 }, (_, index) => Math.round(((index + 1) * BOW.width) / BOW.flags))
  .map((x) => `M${x} ${lineY(x) + 5}h0`)
  .join("");

function flagsOf(hue: (typeof hues)[number]): string {
  return Array.from({ length: BOW.flags }, (_, index) => index)
    .filter((index) => hues[index % hues.length] === hue)
    .map((index) => {
      const start = Math.round(((index + 0.18) * BOW.width) / BOW.flags);
      const end = start + 42;
      const middle = (start + end) / 2;
      // The tip leans towards the middle of the bow.
      const tip = Math.round(middle + (lineY(end) - lineY(start)) * -0.8);
      return `M${start} ${lineY(start)}L${end} ${lineY(end)} ${tip} ${lineY(middle) + 36}z`;
    })
    .join("");
}

function lineY(x: number): number {
  const t = x / BOW.width;
  return Math.round(4 + 4 * BOW.depth * t * (1 - t));
}
